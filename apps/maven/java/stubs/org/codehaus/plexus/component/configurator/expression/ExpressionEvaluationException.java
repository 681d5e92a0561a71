// SPDX-License-Identifier: Apache-2.0
package org.codehaus.plexus.component.configurator.expression;

public class ExpressionEvaluationException extends Exception {}
