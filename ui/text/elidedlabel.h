// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/text/colors.h"

namespace emend::ui {

// One line of plain text that ends in an ellipsis where there is no room, with the whole of it in
// the tool tip and for screen readers.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    void setText(const QString &text);
    QString text() const { return m_text; }
    void setHint(const QString &hint); // a second line of the tool tip, plain; empty: none
    void setColor(ColorRole role);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    QString m_hint;
    ColorRole m_color = ColorRole::Neutral;
};

} // namespace emend::ui
