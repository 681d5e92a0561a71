// SPDX-License-Identifier: Apache-2.0
public class Dialog extends Window {}
