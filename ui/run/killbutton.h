// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace emend::ui {

// The one button that ends a run: outlined in the colour of danger, so that it is never taken for
// one of its neighbours.
class KillButton : public QPushButton {
    Q_OBJECT
public:
    explicit KillButton(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace emend::ui
