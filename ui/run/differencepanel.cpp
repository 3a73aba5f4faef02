// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/differencepanel.h"

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QVBoxLayout>

#include "ui/run/noticestrip.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int longestDiff = 200'000; // characters; the trace has it whole
constexpr int shownLines = 12;

class DiffColors : public QSyntaxHighlighter {
public:
    DiffColors(QTextDocument *document, const QWidget &widget)
        : QSyntaxHighlighter(document)
        , m_widget(widget)
    {}

protected:
    void highlightBlock(const QString &text) override
    {
        const QPalette palette = m_widget.palette();
        QTextCharFormat format;
        if (text.startsWith(u'+'))
            format.setForeground(roleColor(ColorRole::Good, palette));
        else if (text.startsWith(u'-'))
            format.setForeground(roleColor(ColorRole::Bad, palette));
        else if (text.startsWith("@@"_L1))
            format.setForeground(roleColor(ColorRole::Muted, palette));
        else
            return;
        setFormat(0, int(text.size()), format);
    }

private:
    const QWidget &m_widget;
};

} // namespace

DifferencePanel::DifferencePanel(QWidget *parent)
    : QWidget(parent)
    , m_same(new NoticeStrip(Shape::Check, ColorRole::Good))
    , m_different(new NoticeStrip(Shape::Cross, ColorRole::Bad))
    , m_diff(new QPlainTextEdit)
{
    setObjectName(u"differencePanel"_s);
    m_same->setObjectName(u"sameStrip"_s);
    m_different->setObjectName(u"differentStrip"_s);
    m_diff->setObjectName(u"diff"_s);
    m_diff->setAccessibleName(tr("Recorded against now"));
    m_diff->setReadOnly(true);
    m_diff->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_diff->setFont(QFont(u"monospace"_s, font().pointSize()));
    m_diff->setFrameShape(QFrame::NoFrame);
    m_diff->setFixedHeight(m_diff->fontMetrics().lineSpacing() * shownLines);
    new DiffColors(m_diff->document(), *m_diff);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    for (QWidget *part : {static_cast<QWidget *>(m_same), static_cast<QWidget *>(m_different),
                          static_cast<QWidget *>(m_diff)})
        layout->addWidget(part);
    hide();
}

void DifferencePanel::showSame()
{
    m_different->setText({});
    m_diff->hide();
    m_same->setText(tr("The same as recorded: every prompt, every decision, every result."));
    show();
}

void DifferencePanel::showDifference(const core::Difference &difference)
{
    m_same->setText({});
    const QString what = oneLine(QString::fromStdString(difference.what), 500);
    m_different->setText(difference.seq > 0 ? tr("Left the recording at its event %1: %2")
                                                  .arg(QString::number(difference.seq), what)
                                            : tr("Left the recording: %1").arg(what));
    m_diff->setPlainText(QString::fromStdString(difference.diff).left(longestDiff));
    m_diff->setVisible(!difference.diff.empty());
    show();
}

QString DifferencePanel::text() const
{
    return m_same->text() + m_different->text() + u'\n' + m_diff->toPlainText();
}

} // namespace emend::ui
