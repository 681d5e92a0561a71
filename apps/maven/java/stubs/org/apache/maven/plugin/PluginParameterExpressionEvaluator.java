// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.plugin;

import org.apache.maven.execution.MavenSession;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;

public class PluginParameterExpressionEvaluator {
    public PluginParameterExpressionEvaluator(MavenSession session, MojoExecution execution) {}

    public Object evaluate(String expression) throws ExpressionEvaluationException {
        return null;
    }
}
