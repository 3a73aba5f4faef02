// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/transportform.h"

#include "ui/run/noticestrip.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/plainedit.h"
#include "ui/shell/section.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <optional>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int textWidth = 200;
constexpr int secondsMost = 86'400; // of a task file

using Headers = std::vector<std::pair<std::string, std::string>>;

QString headersText(const Headers &headers)
{
    QStringList lines;
    for (const auto &[name, value] : headers)
        lines += QString::fromStdString(name) + ": "_L1 + QString::fromStdString(value);
    return lines.join(u'\n');
}

// The first line that is not "Name: value" is left out and its number is given back, from 1.
Headers readHeaders(const QString &text, int &badLine)
{
    Headers headers;
    badLine = 0;
    int number = 0;
    const QStringList lines = text.split(u'\n');
    for (const QString &line : lines) {
        ++number;
        if (line.trimmed().isEmpty())
            continue;
        const qsizetype colon = line.indexOf(u':');
        const QString name = line.left(std::max<qsizetype>(colon, 0)).trimmed();
        if (name.isEmpty() || name.contains(u' ')) {
            badLine = badLine > 0 ? badLine : number;
            continue;
        }
        headers.emplace_back(name.toStdString(), line.mid(colon + 1).trimmed().toStdString());
    }
    return headers;
}

} // namespace

TransportForm::TransportForm(QWidget *parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout(this))
    , m_proxy(new QLineEdit)
    , m_caFile(new QLineEdit)
    , m_headers(new PlainEdit(2, 6))
    , m_headerProblem(quietLabel({}))
    , m_tls(new QComboBox)
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(space::one);
    m_connect = addNumber(u"connectSeconds"_s, tr("Connect within seconds"), 1, secondsMost);
    m_firstByte = addNumber(u"firstByteSeconds"_s, tr("First byte within seconds"), 1, secondsMost);
    m_idle = addNumber(u"idleSeconds"_s, tr("Silence at most, seconds"), 1, secondsMost);
    m_total = addNumber(u"totalSeconds"_s, tr("Whole call at most, seconds"), 1, secondsMost);
    m_retries = addNumber(u"maxRetries"_s, tr("Retries of one call"), 0, 20);
    m_proxy->setObjectName(u"proxy"_s);
    m_proxy->setPlaceholderText(tr("the system's; or “none”"));
    m_proxy->setToolTip(tr("http://host:port or socks5://host:port"));
    addRow(tr("Proxy"), m_proxy, textWidth);
    m_caFile->setObjectName(u"caFile"_s);
    m_caFile->setPlaceholderText(tr("the system's only"));
    m_caFile->setToolTip(tr("A PEM file that is trusted besides the system's certificates."));
    addRow(tr("CA file"), m_caFile, textWidth);
    addTls();
    addHeaders();
    for (QLineEdit *edit : {m_proxy, m_caFile})
        connect(edit, &QLineEdit::textEdited, this, &TransportForm::edited);
    showWarnings();
}

void TransportForm::addRow(const QString &label, QWidget *field, int width)
{
    auto *row = new QWidget;
    auto *name = new QLabel(label);
    name->setBuddy(field);
    field->setAccessibleName(label);
    field->setFixedWidth(width);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    layout->addWidget(name, 1);
    layout->addWidget(field);
    m_rows->addWidget(row);
}

NumberSpin *TransportForm::addNumber(const QString &objectName, const QString &label, int least,
                                     int most)
{
    auto *spin = new NumberSpin;
    spin->setObjectName(objectName);
    spin->setNumberRange(least, most);
    addRow(label, spin, numberWidth);
    connect(spin, &QDoubleSpinBox::valueChanged, this, &TransportForm::edited);
    return spin;
}

void TransportForm::addTls()
{
    m_tls->setObjectName(u"tls"_s);
    m_tls->addItem(tr("Verify"), true);
    m_tls->addItem(tr("Do not verify"), false);
    addRow(tr("TLS certificates"), m_tls, numberWidth);
    auto *warning = new NoticeStrip(Shape::Triangle, ColorRole::Bad);
    warning->setObjectName(u"tlsWarning"_s);
    m_rows->addWidget(warning);
    connect(m_tls, &QComboBox::currentIndexChanged, this, [this] {
        showWarnings();
        Q_EMIT edited();
    });
}

void TransportForm::addHeaders()
{
    auto *name = new QLabel(tr("Extra headers, one a line"));
    name->setBuddy(m_headers);
    m_headers->setObjectName(u"headers"_s);
    m_headers->setAccessibleName(tr("Extra headers, one a line"));
    m_headers->setPlaceholderText(tr("Name: value – no keys, they belong in the settings"));
    m_headerProblem->setObjectName(u"headerProblem"_s);
    m_rows->addWidget(name);
    m_rows->addWidget(m_headers);
    m_rows->addWidget(m_headerProblem);
    connect(m_headers, &QPlainTextEdit::textChanged, this, [this] {
        showWarnings();
        Q_EMIT edited();
    });
}

void TransportForm::showWarnings()
{
    auto *warning = findChild<NoticeStrip *>(u"tlsWarning"_s);
    warning->setText(m_tls->currentData().toBool()
                         ? QString()
                         : tr("Anybody between here and the server can read the key and the "
                              "prompts, and change the replies."));
    int bad = 0;
    readHeaders(QString::fromStdString(m_headers->text()), bad);
    m_headerProblem->setVisible(bad > 0);
    m_headerProblem->setText(
        tr("Line %1 is left out: a name, a colon and a value are wanted.").arg(bad));
}

void TransportForm::load(const core::ModelSettings &model)
{
    const QSignalBlocker quiet(this);
    m_loaded = model;
    const core::TransportSettings &transport = model.transport;
    m_connect->setNumber(transport.connectSeconds);
    m_firstByte->setNumber(transport.firstByteSeconds);
    m_idle->setNumber(transport.idleSeconds);
    m_total->setNumber(transport.timeoutSeconds);
    m_retries->setNumber(transport.maxRetries);
    m_proxy->setText(QString::fromStdString(transport.proxy));
    m_caFile->setText(QString::fromStdString(transport.caFile));
    m_tls->setCurrentIndex(transport.tlsVerify ? 0 : 1);
    m_headers->setPlainText(headersText(model.headers));
    showWarnings();
}

void TransportForm::store(core::ModelSettings &model) const
{
    core::TransportSettings &transport = model.transport;
    transport.connectSeconds = int(m_connect->number());
    transport.firstByteSeconds = int(m_firstByte->number());
    transport.idleSeconds = int(m_idle->number());
    transport.timeoutSeconds = int(m_total->number());
    transport.maxRetries = int(m_retries->number());
    transport.proxy = m_proxy->text().trimmed().toStdString();
    transport.caFile = m_caFile->text().trimmed().toStdString();
    transport.tlsVerify = m_tls->currentData().toBool();
    const QString text = QString::fromStdString(m_headers->text());
    int bad = 0;
    model.headers =
        text == headersText(m_loaded.headers) ? m_loaded.headers : readHeaders(text, bad);
}

bool TransportForm::isDefault() const
{
    core::ModelSettings mine;
    store(mine);
    core::Task now, fresh;
    now.model = mine;
    return core::taskToJson(now) == core::taskToJson(fresh);
}

} // namespace emend::ui
