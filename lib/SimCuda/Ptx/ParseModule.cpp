//===- ParseModule.cpp - Directives of a module ---------------------------===//
#include "Parser.h"

#include <algorithm>

namespace kclaw::sim::ptx {

void Cursor::error(const std::string &what) const {
  throw LoadError(peek().line, what);
}

void Cursor::expect(std::string_view text) {
  if (!accept(text))
    error("expected '" + std::string(text) + "', found '" +
          std::string(peek().text) + "'");
}

std::string Cursor::word() {
  if (peek().kind != Token::Kind::Word)
    error("expected a name, found '" + std::string(peek().text) + "'");
  return std::string(take().text);
}

uint64_t Cursor::integer() {
  bool minus = accept("-");
  if (peek().kind != Token::Kind::Integer)
    error("expected an integer, found '" + std::string(peek().text) + "'");
  uint64_t value = take().bits;
  return minus ? 0 - value : value;
}

void Cursor::skipBraces() {
  expect("{");
  for (int depth = 1; depth > 0; take()) {
    if (atEnd())
      error("'{' without '}'");
    depth += peek().is("{");
    depth -= peek().is("}");
  }
}

namespace {

class ModuleParser {
public:
  explicit ModuleParser(std::string_view text) : cursor(tokenise(text)) {}

  Module run() {
    while (!cursor.atEnd())
      directive();
    if (module.target.empty())
      cursor.error("no .target: this is no PTX module");
    return std::move(module);
  }

private:
  void directive();
  void version();
  void target();
  void file();
  void section();
  void variables(Space space);
  void function(bool isEntry) {
    module.functions.push_back(parseFunction(cursor, isEntry));
    module.functions.back().isVisible = isVisible;
    isExtern = isVisible = false;
  }

  struct Row {
    std::string_view name;
    void (*run)(ModuleParser &);
  };
  static const Row rows[];

  Cursor cursor;
  Module module;
  bool isExtern = false, isVisible = false;
};

const ModuleParser::Row ModuleParser::rows[] = {
    {".version", [](ModuleParser &p) { p.version(); }},
    {".target", [](ModuleParser &p) { p.target(); }},
    {".address_size",
     [](ModuleParser &p) { p.module.addressBits = p.cursor.integer(); }},
    {".file", [](ModuleParser &p) { p.file(); }},
    {".loc", [](ModuleParser &p) { (void)parseLocation(p.cursor); }},
    {".section", [](ModuleParser &p) { p.section(); }},
    {".pragma",
     [](ModuleParser &p) {
       p.cursor.take();
       p.cursor.expect(";");
     }},
    {".extern", [](ModuleParser &p) { p.isExtern = true; }},
    {".visible", [](ModuleParser &p) { p.isVisible = true; }},
    {".weak", [](ModuleParser &) {}},
    {".common", [](ModuleParser &) {}},
    {".global", [](ModuleParser &p) { p.variables(Space::Global); }},
    {".const", [](ModuleParser &p) { p.variables(Space::Const); }},
    {".shared", [](ModuleParser &p) { p.variables(Space::Shared); }},
    {".entry", [](ModuleParser &p) { p.function(true); }},
    {".func", [](ModuleParser &p) { p.function(false); }},
};

void ModuleParser::directive() {
  const Token token = cursor.peek();
  const Row *row = std::ranges::find(rows, token.text, &Row::name);
  if (token.kind != Token::Kind::Word || row == std::end(rows))
    cursor.error("unknown directive '" + std::string(token.text) + "'");
  cursor.take();
  row->run(*this);
}

void ModuleParser::version() {
  // "8.5" is lexed as a float.
  std::string text(cursor.take().text);
  size_t dot = text.find('.');
  if (dot == std::string::npos)
    cursor.error("malformed .version");
  module.versionMajor = unsigned(std::atoi(text.c_str()));
  module.versionMinor = unsigned(std::atoi(text.c_str() + dot + 1));
}

void ModuleParser::target() {
  module.target = cursor.word();
  while (cursor.accept(","))
    cursor.word(); // debug, texmode_independent
}

void ModuleParser::file() {
  auto index = uint32_t(cursor.integer());
  if (cursor.peek().kind != Token::Kind::String)
    cursor.error(".file without a path");
  module.files[index] = cursor.take().text;
  while (cursor.accept(","))
    cursor.integer(); // time stamp, size
}

void ModuleParser::section() {
  while (!cursor.atEnd() && !cursor.peek().is("{"))
    cursor.take();
  cursor.skipBraces();
}

void ModuleParser::variables(Space space) {
  for (Variable &variable : parseVariables(cursor, space)) {
    variable.isExtern = isExtern;
    variable.isVisible = isVisible;
    module.variables.push_back(std::move(variable));
  }
  isExtern = isVisible = false;
}

} // namespace

Module parse(std::string_view text) { return ModuleParser(text).run(); }

} // namespace kclaw::sim::ptx
