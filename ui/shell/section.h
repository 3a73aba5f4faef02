// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace emend::ui {

// Labels in the two quieter voices of the window. Plain text, wrapped.
QLabel *quietLabel(const QString &text, QWidget *parent = nullptr);
QLabel *headingLabel(const QString &text, QWidget *parent = nullptr);

// A titled card of a page: heading, an optional quiet line under it, a body. GUI thread.
class Section : public QFrame {
    Q_OBJECT
public:
    explicit Section(const QString &title, QWidget *parent = nullptr);

    QVBoxLayout *body() const { return m_body; }
    void setHint(const QString &text); // empty: no line
    void addToHeader(QWidget *widget); // at the end of the heading's line
    // The heading becomes a button that shows and hides the body.
    void setCollapsible(bool expanded);
    void setExpanded(bool expanded);

private:
    QHBoxLayout *m_header;
    QLabel *m_title;
    QLabel *m_hint;
    QToolButton *m_toggle = nullptr;
    QWidget *m_content;
    QVBoxLayout *m_body;
};

// Keeps a turn of the wheel for the page, unless the field has the focus: scrolling past a number
// must not change it.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    // Guards all spin boxes, combo boxes and sliders below `root`.
    static void protect(QWidget *root);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using QObject::QObject;
};

} // namespace emend::ui
