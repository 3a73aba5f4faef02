// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/text/colors.h"
#include "ui/text/shapes.h"

class QLabel;

namespace emend::ui {

// One sentence across the run that stays as long as it is true: there is nothing to close it with.
// Without a sentence it is not there. GUI thread.
class NoticeStrip : public QWidget {
    Q_OBJECT
public:
    NoticeStrip(Shape shape, ColorRole color, QWidget *parent = nullptr);

    void setText(const QString &text); // plain; empty: hidden
    QString text() const;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void updateColors();

    QLabel *m_text;
    ColorRole m_color;
};

} // namespace emend::ui
