// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace emend::ui {

// Marks the one button of a view that the eye should find first: filled with the accent colour.
inline constexpr const char *primaryProperty = "emendPrimary";
// A frame with this property is drawn as a card: base colour, thin border, round corners.
inline constexpr const char *cardProperty = "emendCard";
// A line edit with this property shows its border only faintly: text that can be edited in place.
inline constexpr const char *quietProperty = "emendQuiet";
// An item view with this property opens a row with one click.
inline constexpr const char *singleClickProperty = "emendSingleClick";

// Fusion, drawn flatter: no gradients, one corner radius, a clear focus ring. All colours come from
// the palette, so a change of palette is a change of theme. GUI thread.
class Style : public QProxyStyle {
    Q_OBJECT
public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                            QPainter *painter, const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option,
                         SubControl subControl, const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option,
                         const QWidget *widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option,
                    const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
    void polish(QWidget *widget) override;
    using QProxyStyle::polish;
};

} // namespace emend::ui
