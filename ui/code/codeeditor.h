// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/code/qscintilla.h"

namespace emend::ui {

// Source text with line numbers and colours, to edit or to read, on QScintilla. Follows the theme.
// Foreign text is shown as it is, never run and never taken for markup. GUI thread.
class CodeEditor : public QsciScintilla {
    Q_OBJECT
public:
    explicit CodeEditor(QWidget *parent = nullptr);

    // "python", "cpp", "sql", "json", "bash"; any other has no colours. As in a code block's tag.
    void setLanguage(const QString &language);
    QString language() const { return m_language; }
    // Replaces everything; nothing is left to undo.
    void setSource(const QString &text);
    // At least and at most so many lines high; it scrolls beyond.
    void setHeight(int minimumLines, int maximumLines);

    // Of a diff: what becomes of each line, and its number in its own text (0: a filler).
    enum class LineLook : quint8 { Plain, Removed, Added, Filler };
    void setLineLooks(const std::vector<LineLook> &looks, const std::vector<int> &numbers);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void edited(); // by a person

protected:
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void applyTheme();
    void applyLexer();
    void fitMargin();

    QString m_language;
    bool m_loading = false;
    bool m_ownNumbers = false;
    int m_minimumLines = 4;
    int m_maximumLines = 0; // 0: as large as the layout makes it
};

} // namespace emend::ui
