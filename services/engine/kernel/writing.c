/* Serialises a model.Diagnosis as a DiagnoseResponse, with the bytes of wire.py and protobuf.

   Everything is written from the end to the beginning, fields by falling number, so that the length of a message is
   known when its prefix is written. Numbers that are 0 (but not -0.0) and empty texts are omitted; messages are not. */
#include <stdlib.h>

#include "numbers.h"
#include "writing.h"

enum { VARINT = 0, EIGHT_BYTES = 1, LENGTH = 2, FIRST_ROOM = 16384 };

typedef struct {
    unsigned char *room, *at, *end; /* the output so far is [at, end) */
    unsigned char *heap;            /* the buffer, once the first one is too small */
    int failed;
} Writer;

static PyObject *zh, *en;

/* Ensures `size` free bytes before the output. */
static int make_room(Writer *writer, size_t size) {
    if (writer->failed) return 0;
    if ((size_t)(writer->at - writer->room) >= size) return 1;
    size_t used = (size_t)(writer->end - writer->at), whole = 2 * (used + size);
    unsigned char *fresh = malloc(whole);
    if (fresh == NULL) {
        PyErr_NoMemory();
        writer->failed = 1;
        return 0;
    }
    memcpy(fresh + whole - used, writer->at, used);
    free(writer->heap);
    writer->heap = writer->room = fresh;
    writer->end = fresh + whole;
    writer->at = writer->end - used;
    return 1;
}

static void write_varint(Writer *writer, uint64_t number) {
    unsigned char bytes[10];
    int count = 0;
    for (; number >= 0x80; number >>= 7) bytes[count++] = (unsigned char)(number | 0x80);
    bytes[count++] = (unsigned char)number;
    if (!make_room(writer, (size_t)count)) return;
    writer->at -= count;
    memcpy(writer->at, bytes, (size_t)count);
}

static void write_tag(Writer *writer, int field, int kind) { write_varint(writer, (uint64_t)(field << 3 | kind)); }

static void write_number(Writer *writer, int field, PyObject *value) {
    uint64_t bits = bits_of_double(PyFloat_AsDouble(value));
    if (bits == 0 || !make_room(writer, 8)) return;
    for (int shift = 56; shift >= 0; shift -= 8) *--writer->at = (unsigned char)(bits >> shift);
    write_tag(writer, field, EIGHT_BYTES);
}

static void write_count(Writer *writer, int field, PyObject *value) {
    unsigned long number = PyLong_AsUnsignedLong(value);
    if (number == 0) return;
    write_varint(writer, number);
    write_tag(writer, field, VARINT);
}

/* A text, even if empty. */
static void write_item(Writer *writer, int field, PyObject *text) {
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == NULL || !make_room(writer, (size_t)size)) {
        writer->failed = 1;
        return;
    }
    writer->at -= size;
    memcpy(writer->at, bytes, (size_t)size);
    write_varint(writer, (uint64_t)size);
    write_tag(writer, field, LENGTH);
}

static void write_text(Writer *writer, int field, PyObject *text) {
    if (!PyUnicode_Check(text) || PyUnicode_GET_LENGTH(text) > 0) write_item(writer, field, text);
}

static void write_texts(Writer *writer, int field, PyObject *texts) {
    for (Py_ssize_t at = PyTuple_GET_SIZE(texts) - 1; at >= 0; at--)
        write_item(writer, field, PyTuple_GET_ITEM(texts, at));
}

/* Writes the fields of one message; `part` is its named tuple. */
typedef void (*Fields)(Writer *writer, PyObject *part);

static void write_message(Writer *writer, int field, PyObject *part, Fields fields) {
    Py_ssize_t behind = writer->end - writer->at;
    fields(writer, part);
    write_varint(writer, (uint64_t)(writer->end - writer->at - behind));
    write_tag(writer, field, LENGTH);
}

static void write_messages(Writer *writer, int field, PyObject *parts, Fields fields) {
    for (Py_ssize_t at = PyTuple_GET_SIZE(parts) - 1; at >= 0; at--)
        write_message(writer, field, PyTuple_GET_ITEM(parts, at), fields);
}

#define PART(at) PyTuple_GET_ITEM(part, (at))

static void localized_text(Writer *writer, PyObject *part) {
    PyObject *chinese = PyObject_GetAttr(part, zh), *english = PyObject_GetAttr(part, en);
    if (chinese != NULL && english != NULL) {
        write_text(writer, 2, english);
        write_text(writer, 1, chinese);
    } else {
        writer->failed = 1;
    }
    Py_XDECREF(chinese);
    Py_XDECREF(english);
}

static void contribution(Writer *writer, PyObject *part) {
    write_texts(writer, 9, PART(8));
    write_count(writer, 8, PART(7));
    write_count(writer, 7, PART(6));
    write_number(writer, 6, PART(5));
    write_number(writer, 5, PART(4));
    write_number(writer, 4, PART(3));
    write_number(writer, 3, PART(2));
    write_count(writer, 2, PART(1));
    write_text(writer, 1, PART(0));
}

static void hypothesis(Writer *writer, PyObject *part) {
    write_messages(writer, 7, PART(6), contribution);
    write_number(writer, 6, PART(5));
    write_number(writer, 5, PART(4));
    write_number(writer, 4, PART(3));
    write_number(writer, 3, PART(2));
    write_message(writer, 2, PART(1), localized_text);
    write_text(writer, 1, PART(0));
}

static void belief(Writer *writer, PyObject *part) {
    write_number(writer, 2, PART(1));
    write_text(writer, 1, PART(0));
}

static void outcome(Writer *writer, PyObject *part) {
    write_messages(writer, 2, PART(1), belief);
    write_number(writer, 1, PART(0));
}

static void recommendation(Writer *writer, PyObject *part) {
    write_message(writer, 10, PART(9), outcome);
    write_message(writer, 9, PART(8), outcome);
    write_number(writer, 8, PART(7));
    write_number(writer, 7, PART(6));
    write_texts(writer, 6, PART(5));
    write_count(writer, 5, PART(4));
    write_number(writer, 4, PART(3));
    write_number(writer, 3, PART(2));
    write_message(writer, 2, PART(1), localized_text);
    write_text(writer, 1, PART(0));
}

/* A number with presence: zero is written as well. */
static void write_present_number(Writer *writer, int field, PyObject *value) {
    if (PyFloat_AsDouble(value) != 0.0) write_number(writer, field, value);
    else if (make_room(writer, 8)) {
        writer->at -= 8;
        memset(writer->at, 0, 8);
        write_tag(writer, field, EIGHT_BYTES);
    }
}

static void conclusion(Writer *writer, PyObject *part) {
    if (PART(9) != Py_None) write_present_number(writer, 10, PART(9));
    if (PART(8) != Py_None) write_item(writer, 9, PART(8));
    for (int field = 8; field >= 4; field--) write_texts(writer, field, PART(field - 1));
    write_number(writer, 3, PART(2));
    write_message(writer, 2, PART(1), localized_text);
    write_text(writer, 1, PART(0));
}

static void contradiction(Writer *writer, PyObject *part) {
    write_number(writer, 3, PART(2));
    write_text(writer, 2, PART(1));
    write_text(writer, 1, PART(0));
}

static void diagnosis(Writer *writer, PyObject *part) {
    if (PART(9) != Py_None) write_message(writer, 10, PART(9), contradiction);
    write_count(writer, 9, PART(8));
    write_number(writer, 8, PART(7));
    write_number(writer, 7, PART(6));
    write_number(writer, 6, PART(5));
    if (PART(4) != Py_None) write_message(writer, 5, PART(4), conclusion);
    write_messages(writer, 4, PART(3), recommendation);
    write_messages(writer, 3, PART(2), hypothesis);
    write_text(writer, 2, PART(1));
    write_text(writer, 1, PART(0));
}

PyObject *write_diagnosis(PyObject *module, PyObject *part) {
    unsigned char first[FIRST_ROOM];
    Writer writer = {first, first + FIRST_ROOM, first + FIRST_ROOM, NULL, 0};
    (void)module;
    if (zh == NULL) zh = PyUnicode_InternFromString("zh");
    if (en == NULL) en = PyUnicode_InternFromString("en");
    if (zh == NULL || en == NULL) return NULL;
    if (!PyTuple_Check(part) || PyTuple_GET_SIZE(part) != 10) {
        PyErr_SetString(PyExc_TypeError, "expected a Diagnosis");
        return NULL;
    }
    diagnosis(&writer, part);
    PyObject *found = NULL;
    if (!writer.failed && !PyErr_Occurred())
        found = PyBytes_FromStringAndSize((const char *)writer.at, writer.end - writer.at);
    free(writer.heap);
    return found;
}
