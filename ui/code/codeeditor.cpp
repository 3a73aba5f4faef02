// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/codeeditor.h"

#include "ui/text/colors.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int numberMargin = 0;
constexpr int removedMarker = 1, addedMarker = 2, fillerMarker = 3;

std::unique_ptr<QsciLexer> lexerFor(const QString &language, QObject *parent)
{
    if (language == "python"_L1)
        return std::make_unique<QsciLexerPython>(parent);
    if (language == "cpp"_L1 || language == "c"_L1 || language == "c++"_L1)
        return std::make_unique<QsciLexerCPP>(parent);
    if (language == "sql"_L1)
        return std::make_unique<QsciLexerSQL>(parent);
    if (language == "json"_L1)
        return std::make_unique<QsciLexerJSON>(parent);
    if (language == "bash"_L1 || language == "sh"_L1)
        return std::make_unique<QsciLexerBash>(parent);
    return nullptr;
}

// What a lexer calls its styles is told apart by words; so one table serves all languages.
ColorRole roleOfStyle(const QString &description)
{
    const auto tells = [&](QLatin1String word) {
        return description.contains(word, Qt::CaseInsensitive);
    };
    if (tells("unclosed"_L1) || tells("error"_L1))
        return ColorRole::Bad;
    if (tells("comment"_L1))
        return ColorRole::Muted;
    if (tells("string"_L1) || tells("character"_L1))
        return ColorRole::Good;
    if (tells("number"_L1))
        return ColorRole::Warn;
    if (tells("keyword"_L1) || tells("preproc"_L1))
        return ColorRole::Model;
    if (tells("class name"_L1) || tells("function"_L1) || tells("decorator"_L1) ||
        tells("property"_L1))
        return ColorRole::Tool;
    return ColorRole::Neutral;
}

} // namespace

CodeEditor::CodeEditor(QWidget *parent)
    : QsciScintilla(parent)
{
    setUtf8(true);
    setEolMode(EolUnix);
    setIndentationsUseTabs(false);
    setTabWidth(4);
    setIndentationWidth(4);
    setAutoIndent(true);
    setBackspaceUnindents(true);
    setMarginType(numberMargin, NumberMargin);
    for (int margin = 1; margin < 5; ++margin)
        setMarginWidth(margin, 0);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    SendScintilla(SCI_SETENDATLASTLINE, 1UL);
    for (const int marker : {removedMarker, addedMarker, fillerMarker})
        markerDefine(Background, marker);
    connect(this, &QsciScintilla::textChanged, this, [this] {
        fitMargin();
        if (m_maximumLines > 0)
            updateGeometry();
        if (!m_loading)
            Q_EMIT edited();
    });
    applyTheme();
}

void CodeEditor::setLanguage(const QString &language)
{
    if (language.toLower() == m_language)
        return;
    m_language = language.toLower();
    applyTheme();
}

void CodeEditor::setSource(const QString &text)
{
    const QScopedValueRollback loading(m_loading, true);
    const bool readOnly = isReadOnly();
    setReadOnly(false);
    setText(text);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    setReadOnly(readOnly);
    m_ownNumbers = false;
    setMarginType(numberMargin, NumberMargin);
    markerDeleteAll();
    fitMargin();
}

void CodeEditor::setHeight(int minimumLines, int maximumLines)
{
    m_minimumLines = minimumLines;
    m_maximumLines = maximumLines;
    updateGeometry();
}

void CodeEditor::setLineLooks(const std::vector<LineLook> &looks, const std::vector<int> &numbers)
{
    markerDeleteAll();
    clearMarginText();
    m_ownNumbers = true;
    setMarginType(numberMargin, TextMarginRightJustified);
    for (int line = 0; line < static_cast<int>(looks.size()); ++line) {
        const auto at = static_cast<std::size_t>(line);
        if (looks[at] == LineLook::Removed)
            markerAdd(line, removedMarker);
        else if (looks[at] == LineLook::Added)
            markerAdd(line, addedMarker);
        else if (looks[at] == LineLook::Filler)
            markerAdd(line, fillerMarker);
        // The sign says in black and white what the colour says besides.
        const char *sign = looks[at] == LineLook::Removed ? "- "
                           : looks[at] == LineLook::Added ? "+ "
                                                          : "  ";
        if (numbers[at] > 0)
            setMarginText(line, QLatin1String(sign) + QString::number(numbers[at]),
                          STYLE_LINENUMBER);
    }
    fitMargin();
}

QSize CodeEditor::sizeHint() const
{
    const int line = static_cast<int>(SendScintilla(SCI_TEXTHEIGHT, 0UL));
    const int wanted =
        m_maximumLines > 0 ? std::clamp(lines(), m_minimumLines, m_maximumLines) : m_minimumLines;
    return {480, line * wanted + 2 * frameWidth() + space::two};
}

QSize CodeEditor::minimumSizeHint() const
{
    return {160, m_maximumLines > 0 ? sizeHint().height() : 64};
}

void CodeEditor::fitMargin()
{
    const int digits = std::max<int>(3, static_cast<int>(QString::number(lines()).size()) + 1);
    setMarginWidth(numberMargin, QString(digits + (m_ownNumbers ? 2 : 0), u'8'));
}

void CodeEditor::changeEvent(QEvent *event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyTheme();
}

void CodeEditor::focusInEvent(QFocusEvent *event)
{
    QsciScintilla::focusInEvent(event);
    ensureCursorVisible();
}

void CodeEditor::keyPressEvent(QKeyEvent *event)
{
    // Where nothing can be written a tab moves on; and Ctrl+Tab always does, as in other editors.
    const bool tab = event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab;
    if (tab && (isReadOnly() || (event->modifiers() & Qt::ControlModifier) != 0)) {
        focusNextPrevChild(event->key() == Qt::Key_Tab);
        return;
    }
    QsciScintilla::keyPressEvent(event);
}

void CodeEditor::applyLexer()
{
    QsciLexer *old = lexer();
    QsciLexer *next = lexerFor(m_language, this).release();
    const QPalette &p = palette();
    if (next != nullptr) {
        next->setDefaultFont(fixedFont());
        next->setDefaultPaper(p.color(QPalette::Base));
        next->setDefaultColor(p.color(QPalette::Text));
        for (int style = 0; style < 128; ++style) {
            const QString description = next->description(style);
            if (description.isEmpty())
                continue;
            next->setFont(fixedFont(), style);
            next->setPaper(p.color(QPalette::Base), style);
            next->setColor(roleColor(roleOfStyle(description), p), style);
        }
    }
    setLexer(next);
    delete old;
}

void CodeEditor::applyTheme()
{
    const QPalette &p = palette();
    const QColor base = p.color(QPalette::Base);
    setPaper(base);
    setColor(p.color(QPalette::Text));
    setFont(fixedFont());
    applyLexer();
    setCaretForegroundColor(p.color(QPalette::Text));
    setSelectionBackgroundColor(p.color(QPalette::Highlight));
    setSelectionForegroundColor(p.color(QPalette::HighlightedText));
    setMarginsBackgroundColor(mixed(base, p.color(QPalette::Text), 0.04));
    setMarginsForegroundColor(roleColor(ColorRole::Muted, p));
    setMarginsFont(fixedFont());
    setMarkerBackgroundColor(mixed(base, roleColor(ColorRole::Bad, p), 0.14), removedMarker);
    setMarkerBackgroundColor(mixed(base, roleColor(ColorRole::Good, p), 0.14), addedMarker);
    setMarkerBackgroundColor(mixed(base, p.color(QPalette::Text), 0.05), fillerMarker);
    fitMargin();
}

} // namespace emend::ui
