// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/plaintext.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

char16_t sign(char16_t c)
{
    if (c < 0x20)
        return char16_t(0x2400 + c);
    switch (c) {
    case 0x7f:
        return 0x2421;
    case 0xa0:
    case 0x202f:
        return 0x2423; // open box
    case 0x3000:
        return 0x25a1;
    case 0xad:
    case 0xfeff:
    case 0xfffc:
        return 0xfffd;
    default:
        break;
    }
    const bool invisible = (c >= 0x80 && c < 0xa0) || (c >= 0x2000 && c <= 0x200f) ||
                           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
                           (c >= 0xfff9 && c <= 0xfffb) || c == 0x061c || c == 0x180e;
    return invisible ? char16_t(0xfffd) : c;
}

} // namespace

QString visible(QString text)
{
    for (QChar &c : text) {
        if (c != u'\n' && c != u'\t')
            c = sign(c.unicode());
    }
    return text;
}

QString oneLine(QString text, qsizetype maxLength)
{
    const bool cut = text.size() > maxLength;
    if (cut) {
        text.truncate(maxLength);
        if (!text.isEmpty() && text.back().isHighSurrogate())
            text.chop(1);
    }
    for (QChar &c : text) {
        if (c == u'\n')
            c = QChar(0x21b5);
        else if (c == u'\t')
            c = u' ';
        else
            c = sign(c.unicode());
    }
    if (cut)
        text += QChar(0x2026);
    return text;
}

QString plainToolTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    return "<p style='white-space:pre-wrap'>"_L1 + text.toHtmlEscaped() + "</p>"_L1;
}

QString durationText(qint64 us)
{
    const auto t = [](const char *source) {
        return QCoreApplication::translate("emend::ui::Quantity", source);
    };
    const QLocale locale;
    if (us < 1000)
        return t(QT_TRANSLATE_NOOP("emend::ui::Quantity", "%1 µs")).arg(locale.toString(us));
    if (us < 999'500) {
        const double ms = double(us) / 1000;
        return t(QT_TRANSLATE_NOOP("emend::ui::Quantity", "%1 ms"))
            .arg(locale.toString(ms, 'f', ms < 9.95 ? 1 : 0));
    }
    if (us < 99'950'000) {
        const double s = double(us) / 1'000'000;
        return t(QT_TRANSLATE_NOOP("emend::ui::Quantity", "%1 s"))
            .arg(locale.toString(s, 'f', s < 9.995 ? 2 : 1));
    }
    const qint64 seconds = (us + 500'000) / 1'000'000;
    return t(QT_TRANSLATE_NOOP("emend::ui::Quantity", "%1 min %2 s"))
        .arg(locale.toString(seconds / 60))
        .arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

QString clockText(qint64 us)
{
    const qint64 ms = us / 1000;
    const QString tail = u"%1.%2"_s.arg(ms / 1000 % 60, 2, 10, QLatin1Char('0'))
                             .arg(ms % 1000, 3, 10, QLatin1Char('0'));
    const qint64 minutes = ms / 60'000;
    if (minutes < 60)
        return u"%1:%2"_s.arg(minutes).arg(tail);
    return u"%1:%2:%3"_s.arg(minutes / 60).arg(minutes % 60, 2, 10, QLatin1Char('0')).arg(tail);
}

QString bytesText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < 1000 ? 0 : 1, QLocale::DataSizeSIFormat);
}

QString countText(qint64 count)
{
    return QLocale().toString(count);
}

QString costText(double usd)
{
    if (usd == 0)
        return u"$0"_s;
    return u"$%1"_s.arg(QLocale().toString(usd, 'f', usd < 0.1 ? 5 : 2));
}

} // namespace emend::ui
