// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace emend::ui {

// Name, version, licence, and what the program is built on. GUI thread.
class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget *parent = nullptr);
};

} // namespace emend::ui
