// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/redactionpage.h"

#include "ui/shell/background.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

RedactionPage::RedactionPage(core::ProviderSettings &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_call(new Background(this))
    , m_patterns(new QPlainTextEdit)
    , m_result(new QLabel)
    , m_apply(new QPushButton(tr("&Apply")))
{
    auto *name = new QLabel(tr("Your own &patterns, one a line (RE2 syntax)"));
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
    connect(m_patterns, &QPlainTextEdit::textChanged, this, [this] {
        m_apply->setEnabled(true);
        m_result->clear();
        markLine(-1);
    });
    connect(m_apply, &QPushButton::clicked, this, &RedactionPage::apply);
    m_call->start([&settings = m_settings, this](const std::stop_token &) {
        return [this, patterns = settings.redactionPatterns()] {
            QStringList lines;
            for (const std::string &pattern : patterns)
                lines += QString::fromStdString(pattern);
            m_patterns->setPlainText(lines.join(u'\n'));
            m_apply->setEnabled(false);
        };
    });
}

void RedactionPage::apply()
{
    std::vector<std::string> patterns;
    const QStringList lines = m_patterns->toPlainText().split(u'\n');
    for (const QString &line : lines)
        if (!line.trimmed().isEmpty())
            patterns.push_back(line.toStdString());
    m_apply->setEnabled(false);
    m_call->start([&settings = m_settings, this, patterns](const std::stop_token &) {
        return [this, result = settings.setRedactionPatterns(patterns)] {
            if (!result)
                return showProblem(result.error());
            m_result->setPalette(palette());
            m_result->setText(tr("Applied. They are in force from the next run on."));
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
