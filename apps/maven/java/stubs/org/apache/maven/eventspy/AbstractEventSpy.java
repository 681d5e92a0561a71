// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.eventspy;

public abstract class AbstractEventSpy {
    public void onEvent(Object event) throws Exception {}

    public void close() throws Exception {}
}
