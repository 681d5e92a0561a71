// SPDX-License-Identifier: Apache-2.0
package org.codehaus.plexus.util.xml;

public class Xpp3Dom {
    public Xpp3Dom(String name) {}

    public String getName() {
        return null;
    }

    public String getValue() {
        return null;
    }

    public void setValue(String value) {}

    public String getAttribute(String name) {
        return null;
    }

    public Xpp3Dom getChild(String name) {
        return null;
    }

    public Xpp3Dom[] getChildren() {
        return null;
    }

    public int getChildCount() {
        return 0;
    }

    public void addChild(Xpp3Dom child) {}
}
