# SPDX-License-Identifier: GPL-3.0-or-later
import os
import sys

path = next(a for a in sys.argv if a.startswith("--junitxml=")).partition("=")[2]
with open(path, "w") as file:
    file.write('<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">'
               '<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;">'
               ']><testsuites><testsuite><testcase name="&e;"/></testsuite></testsuites>')
os._exit(0)
