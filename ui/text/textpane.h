// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "ui/text/textmark.h"

namespace emend::ui {

// Foreign text to read: monospace, plain, wrapped, as high as its text up to a limit, with at most
// one marked place. Tab leaves it.
class TextPane : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit TextPane(QWidget *parent = nullptr);

    void setMarkedText(const MarkedText &text);
    // Replaces the text and keeps the end in sight if it was.
    void setLiveText(const QString &text);
    void setMaximumLines(int lines);
    // Without frame and in the font around it: for words among other words.
    void setInline();
    bool hasMark() const { return m_markStart >= 0; }
    QString markedPart() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void paintMark();
    void fitHeight();
    double textHeight() const;

    int m_markStart = -1;
    int m_markLength = 0;
    int m_maximumLines = 14;
};

} // namespace emend::ui
