// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/redactionpage.h"

#include "ui/shell/background.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace emend::ui {

RedactionPage::RedactionPage(core::ProviderSettings &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_call(new Background(this))
    , m_patterns(new QPlainTextEdit)
    , m_result(new QLabel)
    , m_apply(new QPushButton(tr("&Apply")))
    , m_question(new QWidget)
{
    build();
    connect(m_patterns, &QPlainTextEdit::textChanged, this, [this] {
        m_apply->setEnabled(isEdited());
        m_question->hide();
        m_result->clear();
        markLine(-1);
    });
    connect(m_apply, &QPushButton::clicked, this, &RedactionPage::apply);
    m_call->start([&settings = m_settings, this](const std::stop_token &) {
        return [this, patterns = settings.redactionPatterns()] {
            for (const std::string &pattern : patterns)
                m_inForce += QString::fromStdString(pattern);
            drop();
        };
    });
}

void RedactionPage::build()
{
    auto *name = new QLabel(tr("Your own pa&tterns, one a line (RE2 syntax)"));
    name->setBuddy(m_patterns);
    m_patterns->setObjectName(u"patterns"_s);
    m_patterns->setAccessibleName(tr("Redaction patterns, one a line"));
    m_patterns->setFont(fixedFont());
    m_patterns->setTabChangesFocus(true);
    m_patterns->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_patterns->setPlaceholderText(u"ACME-[0-9]{6}"_s);
    m_result->setObjectName(u"patternsResult"_s);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    m_apply->setObjectName(u"applyPatterns"_s);
    m_apply->setAutoDefault(false);
    m_apply->setEnabled(false);
    buildQuestion();
    auto *row = new QHBoxLayout;
    row->addWidget(m_result, 1);
    row->addWidget(m_apply, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::two, space::two, space::two, 0);
    layout->setSpacing(space::one);
    layout->addWidget(quietLabel(
        tr("Before anything is written, these are replaced by [redacted], always: the keys that "
           "Emend knows, values of fields named like a secret (authorization, api_key, token, "
           "password, secret …), and text that looks like a common key. Every event says how many "
           "and where.")));
    layout->addWidget(name);
    layout->addWidget(m_patterns, 1);
    layout->addLayout(row);
    layout->addWidget(m_question);
}

void RedactionPage::buildQuestion()
{
    m_question->setObjectName(u"patternsQuestion"_s);
    auto *words = new QLabel(tr("What you typed is not in force yet."));
    words->setWordWrap(true);
    words->setFont(scaledFont(1.0, QFont::DemiBold));
    auto *row = new QHBoxLayout(m_question);
    row->setContentsMargins({});
    row->setSpacing(space::one);
    row->addWidget(new ShapeLabel(Shape::Triangle, ColorRole::Warn, 14));
    row->addWidget(words, 1);
    const auto button = [&](const QString &objectName, const QString &text) {
        auto *made = new QPushButton(text);
        made->setObjectName(objectName);
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    connect(button(u"dropPatterns"_s, tr("Close without it")), &QPushButton::clicked, this, [this] {
        drop();
        Q_EMIT mayClose();
    });
    connect(button(u"keepPatterns"_s, tr("Apply and close")), &QPushButton::clicked, this, [this] {
        m_closing = true;
        apply();
    });
    m_question->hide();
}

QStringList RedactionPage::typed() const
{
    QStringList lines = m_patterns->toPlainText().split(u'\n');
    lines.removeIf([](const QString &line) { return line.trimmed().isEmpty(); });
    return lines;
}

bool RedactionPage::isEdited() const
{
    return typed() != m_inForce;
}

void RedactionPage::askBeforeClosing()
{
    m_question->show();
    m_question->findChild<QPushButton *>(u"keepPatterns"_s)->setFocus();
}

void RedactionPage::drop()
{
    m_patterns->setPlainText(m_inForce.join(u'\n'));
}

void RedactionPage::apply()
{
    const QStringList lines = typed();
    std::vector<std::string> patterns;
    for (const QString &line : lines)
        patterns.push_back(line.toStdString());
    m_apply->setEnabled(false);
    m_question->hide();
    m_call->start([&settings = m_settings, this, patterns, lines](const std::stop_token &) {
        return [this, lines, result = settings.setRedactionPatterns(patterns)] {
            const bool closing = std::exchange(m_closing, false);
            if (!result)
                return showProblem(result.error());
            m_inForce = lines;
            m_result->setPalette(palette());
            m_result->setText(tr("Applied. They are in force from the next run on."));
            m_apply->setEnabled(isEdited());
            if (closing && !isEdited())
                Q_EMIT mayClose();
        };
    });
}

// The error names the pattern; its line is marked, and its number stands before the words.
void RedactionPage::showProblem(const core::Error &error)
{
    const QString message = QString::fromStdString(error.message);
    int bad = -1;
    qsizetype longest = 0;
    const QStringList lines = m_patterns->toPlainText().split(u'\n');
    for (int n = 0; n < lines.size(); ++n) {
        if (lines[n].size() > longest && message.contains(lines[n])) {
            bad = n;
            longest = lines[n].size();
        }
    }
    QPalette red = palette();
    red.setColor(QPalette::WindowText, roleColor(ColorRole::Bad, palette()));
    m_result->setPalette(red);
    m_result->setText(bad < 0 ? oneLine(message, 600)
                              : tr("Line %1: %2").arg(bad + 1).arg(oneLine(message, 600)));
    markLine(bad);
    m_apply->setEnabled(true);
}

void RedactionPage::markLine(int line)
{
    if (line < 0)
        return m_patterns->setExtraSelections({});
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(m_patterns->document()->findBlockByNumber(line));
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    mark.format.setBackground(roleTint(ColorRole::Bad, palette()));
    m_patterns->setExtraSelections({mark});
    m_patterns->setTextCursor(mark.cursor);
}

} // namespace emend::ui
