// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QScintilla's headers are written with the key words that this project leaves to others.
#include <QObject>
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexerbash.h>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerjson.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qscilexersql.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots
