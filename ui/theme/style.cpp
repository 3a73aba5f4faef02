// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style.h"

#include "ui/theme/styleparts.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>

namespace emend::ui {

namespace {

constexpr int cellMargin = 7; // of a table, on both sides
constexpr int stepWidth = 24; // the arrows of a spin box, the arrow of a combo box

// The frame of an item view or a text edit stands for the whole field: focus is asked of the
// widget.
bool isField(const QWidget *widget)
{
    return widget && (widget->inherits("QTextEdit") || widget->inherits("QPlainTextEdit") ||
                      widget->inherits("QAbstractItemView"));
}

// What a scroll bar lies on: the background of the field it belongs to, or the page.
QPalette::ColorRole groundOf(const QWidget *scrollBar)
{
    const QWidget *box = scrollBar ? scrollBar->parentWidget() : nullptr; // a container of Qt's
    const auto *area =
        qobject_cast<const QAbstractScrollArea *>(box ? box->parentWidget() : nullptr);
    return area && isField(area) ? area->viewport()->backgroundRole() : QPalette::Window;
}

QColor textColour(const QStyleOption *option)
{
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    return option->palette.color(enabled ? QPalette::Active : QPalette::Disabled,
                                 QPalette::ButtonText);
}

QRect spinRect(const QStyleOptionSpinBox &spin, QStyle::SubControl subControl)
{
    const QRect r = spin.rect;
    const int arrows = spin.buttonSymbols == QAbstractSpinBox::NoButtons ? 0 : stepWidth;
    const int half = r.height() / 2;
    switch (subControl) {
    case QStyle::SC_SpinBoxUp:
        return {r.right() - arrows + 1, r.top(), arrows, half};
    case QStyle::SC_SpinBoxDown:
        return {r.right() - arrows + 1, r.top() + half, arrows, r.height() - half};
    case QStyle::SC_SpinBoxEditField:
        return r.adjusted(6, 2, -arrows - 2, -2);
    default:
        return r;
    }
}

// Without arrows: the slider has the whole length.
QRect scrollBarRect(const QStyleOptionSlider &bar, QStyle::SubControl subControl)
{
    const QRect r = bar.rect;
    const bool flat = bar.orientation == Qt::Horizontal;
    const int length = flat ? r.width() : r.height();
    const qint64 range = qint64(bar.maximum) - bar.minimum;
    const qint64 page = qMax(1, bar.pageStep);
    const int handle =
        range <= 0 ? length : int(qMax(qint64(qMin(length, 32)), length * page / (range + page)));
    const int start = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                      length - handle, bar.upsideDown);
    const auto span = [&](int from, int size) {
        return flat ? QRect(r.left() + from, r.top(), size, r.height())
                    : QRect(r.left(), r.top() + from, r.width(), size);
    };
    switch (subControl) {
    case QStyle::SC_ScrollBarGroove:
        return r;
    case QStyle::SC_ScrollBarSlider:
        return span(start, handle);
    case QStyle::SC_ScrollBarSubPage:
        return span(0, start);
    case QStyle::SC_ScrollBarAddPage:
        return span(start + handle, length - start - handle);
    default:
        return {};
    }
}

void drawSpinBox(const Style &style, const QStyleOptionSpinBox &option, QPainter *painter,
                 const QWidget *widget)
{
    QStyleOption frame = option;
    const auto *box = qobject_cast<const QAbstractSpinBox *>(widget);
    parts::paintField(frame, painter, box && box->hasFocus());
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    for (const auto sub : {QStyle::SC_SpinBoxUp, QStyle::SC_SpinBoxDown}) {
        const QRect rect = style.subControlRect(QStyle::CC_SpinBox, &option, sub, widget);
        const bool up = sub == QStyle::SC_SpinBoxUp;
        const bool can = option.stepEnabled.testFlag(up ? QAbstractSpinBox::StepUpEnabled
                                                        : QAbstractSpinBox::StepDownEnabled) &&
                         option.state.testFlag(QStyle::State_Enabled);
        if (can && option.activeSubControls == sub &&
            option.state & (QStyle::State_MouseOver | QStyle::State_Sunken))
            painter->fillRect(rect.adjusted(0, up ? 3 : 0, -3, up ? 0 : -3),
                              option.palette.color(QPalette::Midlight));
        const QColor colour = option.palette.color(can ? QPalette::Active : QPalette::Disabled,
                                                   QPalette::PlaceholderText);
        parts::paintChevron(painter, QRectF(rect).translated(-1, up ? 1 : -1), colour,
                            up ? Qt::UpArrow : Qt::DownArrow);
    }
}

Qt::ArrowType arrowOf(QStyle::PrimitiveElement element)
{
    switch (element) {
    case QStyle::PE_IndicatorArrowUp:
        return Qt::UpArrow;
    case QStyle::PE_IndicatorArrowLeft:
        return Qt::LeftArrow;
    case QStyle::PE_IndicatorArrowRight:
        return Qt::RightArrow;
    default:
        return Qt::DownArrow;
    }
}

// Cards and fields; false for any other frame.
bool drawFrame(const QStyleOption &option, QPainter *painter, const QWidget *widget)
{
    if (widget && widget->property(cardProperty).toBool()) {
        parts::paintCard(option, painter);
        return true;
    }
    if (!isField(widget))
        return false;
    QStyleOption field = option;
    field.state.setFlag(QStyle::State_ReadOnly, widget->property("readOnly").toBool());
    parts::paintField(field, painter, widget->hasFocus());
    return true;
}

void drawComboBox(const Style &style, const QStyleOptionComboBox &option, QPainter *painter,
                  const QWidget *widget)
{
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    QStyleOption frame = option;
    if (option.frame)
        parts::paintField(frame, painter, focused);
    const QRect arrow =
        style.subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxArrow, widget);
    parts::paintChevron(painter, arrow, textColour(&option), Qt::DownArrow);
}

} // namespace

Style::Style()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand:
        parts::paintButton(*option, painter, widget);
        if (option->state.testFlag(State_HasFocus) &&
            option->state.testFlag(State_KeyboardFocusChange))
            parts::paintFocus(*option, painter, parts::isPrimary(widget));
        return;
    case PE_PanelButtonTool:
        parts::paintToolButton(*option, painter);
        return;
    case PE_FrameLineEdit:
        return; // drawn with the panel
    case PE_PanelLineEdit:
        if (const auto *panel = qstyleoption_cast<const QStyleOptionFrame *>(option);
            panel && panel->lineWidth > 0)
            parts::paintField(*option, painter, option->state.testFlag(State_HasFocus),
                              widget && widget->property(quietProperty).toBool() &&
                                  !option->state.testFlag(State_MouseOver));
        return;
    case PE_IndicatorTabClose:
        parts::paintTabClose(*option, painter);
        return;
    case PE_PanelMenuBar:
        return;
    case PE_Frame:
        if (!drawFrame(*option, painter, widget))
            QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        parts::paintCheck(*option, painter);
        return;
    case PE_IndicatorRadioButton:
        parts::paintRadio(*option, painter);
        return;
    case PE_FrameFocusRect:
        if (option->state.testFlag(State_KeyboardFocusChange))
            parts::paintFocus(*option, painter, parts::isPrimary(widget));
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight:
        parts::paintChevron(painter, option->rect, textColour(option), arrowOf(element));
        return;
    case PE_FrameTabBarBase:
        if (qobject_cast<const QTabBar *>(widget))
            painter->fillRect(widget->rect(), parts::stripColour(option->palette));
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            option->palette.color(QPalette::Mid));
        return;
    case PE_FrameTabWidget:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                        const QWidget *widget) const
{
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
            button && !button->features.testFlag(QStyleOptionButton::HasMenu)) {
            parts::paintButtonLabel(*button, painter, widget);
            return;
        }
        break;
    case CE_TabBarTabShape:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            parts::paintTab(*tab, painter);
            return;
        }
        break;
    case CE_HeaderSection:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            parts::paintHeader(*header, painter);
            return;
        }
        break;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, parts::stripColour(option->palette));
        return;
    case CE_MenuBarItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            parts::paintMenuBarItem(*item, painter, *this, widget);
            return;
        }
        break;
    case CE_Splitter:
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                               QPainter *painter, const QWidget *widget) const
{
    if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        control == CC_SpinBox && spin) {
        drawSpinBox(*this, *spin, painter, widget);
        return;
    }
    if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        control == CC_ComboBox && combo) {
        drawComboBox(*this, *combo, painter, widget);
        return;
    }
    if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
        if (control == CC_Slider) {
            parts::paintSlider(*slider, painter,
                               subControlRect(CC_Slider, option, SC_SliderGroove, widget),
                               subControlRect(CC_Slider, option, SC_SliderHandle, widget));
            return;
        }
        if (control == CC_ScrollBar) {
            painter->fillRect(option->rect, option->palette.color(groundOf(widget)));
            parts::paintScrollBar(*slider, painter,
                                  subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget));
            return;
        }
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option,
                            SubControl subControl, const QWidget *widget) const
{
    const QRect r = option->rect;
    if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option))
        return visualRect(option->direction, r, spinRect(*spin, subControl));
    if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        bar && control == CC_ScrollBar)
        return scrollBarRect(*bar, subControl);
    if (control == CC_ComboBox && subControl == SC_ComboBoxArrow)
        return visualRect(option->direction, r,
                          QRect(r.right() - stepWidth - 3, r.top(), stepWidth, r.height()));
    if (control == CC_ComboBox && subControl == SC_ComboBoxEditField)
        return visualRect(option->direction, r, r.adjusted(8, 2, -stepWidth - 4, -2));
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option,
                            const QWidget *widget) const
{
    if (element == SE_LineEditContents && widget &&
        !qobject_cast<const QAbstractSpinBox *>(widget->parentWidget()))
        return option->rect.adjusted(6, 2, -6, -2);
    if (element == SE_CheckBoxFocusRect || element == SE_RadioButtonFocusRect)
        return QProxyStyle::subElementRect(element, option, widget).adjusted(-3, -1, 3, 1) &
               option->rect;
    if (element == SE_PushButtonFocusRect)
        return option->rect;
    return QProxyStyle::subElementRect(element, option, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        result = QSize(size.width() + space::three + space::half,
                       qMax(size.height() + 10, space::control));
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
            button && button->features.testFlag(QStyleOptionButton::HasMenu))
            result.rwidth() += space::two;
        break;
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
        result.setHeight(
            qMax(type == CT_LineEdit ? result.height() : size.height(), space::control));
        if (type == CT_SpinBox)
            result.rwidth() += space::one;
        if (type == CT_ComboBox)
            result.rwidth() += space::two;
        break;
    case CT_TabBarTab:
        result = QSize(result.width() + space::one, qMax(result.height() + 6, 36));
        break;
    case CT_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
            item && item->menuItemType != QStyleOptionMenuItem::Separator)
            result.setHeight(qMax(result.height(), 28));
        break;
    case CT_MenuBarItem:
        result += QSize(4, 4);
        break;
    default:
        break;
    }
    return result;
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
        return space::two;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return space::one;
    case PM_ScrollBarExtent:
        return 14;
    case PM_ScrollBarSliderMin:
        return space::four;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 18;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return space::one;
    case PM_SliderLength:
        return 20;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
        return 20;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_MenuBarPanelWidth:
        return 0;
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight:
        return 18;
    case PM_FocusFrameHMargin: // cells side by side need air between them
        return qobject_cast<const QTableView *>(widget)
                   ? cellMargin
                   : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_HeaderMargin: // as the cells, which add one
        return cellMargin + 1;
    case PM_SplitterWidth:
        return space::one;
    case PM_DefaultFrameWidth:
        return isField(widget) ? 2 : QProxyStyle::pixelMetric(metric, option, widget);
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                     QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_Slider_AbsoluteSetButtons:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_ItemView_ActivateItemOnSingleClick:
        return widget && widget->property(singleClickProperty).toBool() ? 1 : 0;
    case SH_FormLayoutLabelAlignment:
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

void Style::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget) ||
        qobject_cast<QAbstractSpinBox *>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

} // namespace emend::ui
