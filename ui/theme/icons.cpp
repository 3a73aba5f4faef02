// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// The resource lives in a static library, where nothing else would pull it in.
static void loadIconResource()
{
    Q_INIT_RESOURCE(emend_icons);
}

namespace emend::ui {

namespace {

QByteArray svgOf(QLatin1String name)
{
    loadIconResource();
    QFile file(QStringLiteral(":/emend/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Fills in the colour when it paints, not when it is made.
class TintedEngine : public QIconEngine {
public:
    TintedEngine(QLatin1String name, QPalette::ColorRole role, const QColor &fixed)
        : m_name(name)
        , m_role(role)
        , m_fixed(fixed)
    {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const int side = qMin(rect.width(), rect.height());
        QRectF box(0, 0, side, side);
        box.moveCenter(QRectF(rect).center());
        QByteArray svg = svgOf(m_name);
        svg.replace("currentColor", colour(mode).name().toLatin1());
        QSvgRenderer(svg).render(painter, box);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state,
                         qreal /*scale*/) override
    {
        const QString key = QStringLiteral("emend/%1/%2x%3/%4")
                                .arg(m_name)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colour(mode).name());
        QPixmap result;
        if (QPixmapCache::find(key, &result))
            return result;
        result = QPixmap(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, result);
        return result;
    }

    QIconEngine *clone() const override { return new TintedEngine(m_name, m_role, m_fixed); }
    QString key() const override { return QStringLiteral("emend"); }

private:
    QColor colour(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (m_fixed.isValid())
            return m_fixed;
        if (mode == QIcon::Selected || mode == QIcon::Active)
            return palette.color(QPalette::HighlightedText);
        return palette.color(QPalette::Active, m_role);
    }

    QLatin1String m_name;
    QPalette::ColorRole m_role;
    QColor m_fixed;
};

} // namespace

QIcon icon(QLatin1String name, QPalette::ColorRole role)
{
    return QIcon(new TintedEngine(name, role, QColor()));
}

QIcon icon(QLatin1String name, const QColor &colour)
{
    return QIcon(new TintedEngine(name, QPalette::ButtonText, colour));
}

QIcon applicationIcon()
{
    return icon(QLatin1String("emend"));
}

} // namespace emend::ui
