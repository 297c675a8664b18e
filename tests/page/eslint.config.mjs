// What no module of the page may do: build markup or code out of text, or ask anybody else for anything. What a name
// means and whether it is there, the type checker says; what is imported by whom, the tests in tests/house.

const MARKUP = "builds markup out of text: make elements by h and s";
const ELSEWHERE = "is an address of somebody else";

/** @param {string} selector @param {string} message */
const not = (selector, message) => ({ selector, message });

const YOUNGER = "is younger than the browsers that docs/look.md names";
/** What they lack of documents and windows; of the language itself, the type checker knows. Where one is asked whether it has something, it is not listed. */
const LACKED = [
  "startViewTransition", "moveBefore", "scrollIntoViewIfNeeded", "setHTML", "getHTML", "ariaNotify", "showOpenFilePicker", "showSaveFilePicker",
  "closedBy", "requestClose", "CloseWatcher", "commandForElement", "navigation", "scheduler", "Temporal", "EditContext", "Observable",
  "documentPictureInPicture", "parseCreationOptionsFromJSON", "parseRequestOptionsFromJSON", "getClientCapabilities", "CookieStore", "cookieStore",
];

const SYNTAX = [
  not("ImportExpression:not(ArrowFunctionExpression[params.length=0] > ImportExpression)", "Load later by () => import(…): the service reads it so."),
  not("ImportExpression[source.value!=/^\\.{1,2}\\u002f.*\\.js$/]", "Load a relative path that is written down."),
  not("ImportExpression[options!=null]", "Load modules."),
  not("MetaProperty[meta.name='import']", "A single file has no import.meta."),
  not("ExportDefaultDeclaration, ExportAllDeclaration", "Export what has a name, where it is declared."),
  not("ExportNamedDeclaration[declaration=null][specifiers.length>0]", "Export what has a name, where it is declared."),
  not("ImportDefaultSpecifier, ImportNamespaceSpecifier", "Import names."),
  not("Program > :not(ImportDeclaration) ~ ImportDeclaration", "Imports stand at the beginning of a module."),
  not("ImportDeclaration[source.value!=/^\\.{1,2}\\u002f.*\\.js$/]", "Import by a relative path."),
  not(`Identifier[name=/^(${LACKED.join("|")})$/]`, `It ${YOUNGER}.`),
  not("CallExpression[callee.object.name='URL'][callee.property.name='parse']", `It ${YOUNGER}.`),
  not("Literal[regex.pattern=/\\(\\?[ims-]+:/]", `It ${YOUNGER}.`),
  not("Literal[value='scrollend'], Property[key.name='onscrollend']", `It ${YOUNGER}.`),
  not("MemberExpression[property.name=/^(inner|outer)HTML$/]", `innerHTML ${MARKUP}.`),
  not("Identifier[name=/^(insertAdjacentHTML|createContextualFragment|DOMParser|setHTMLUnsafe)$/]", `It ${MARKUP}.`),
  not("MemberExpression[object.name='document'][property.name=/^write/]", `It ${MARKUP}.`),
  not("MemberExpression[object.name='document'][property.name='cookie']", "The page keeps no cookies."),
  not("Property[key.name='style'], Property[key.value='style']", "A style attribute is against the page's policy."),
  not("CallExpression[callee.property.name='setAttribute'] > Literal[value='style']:first-child", "A style attribute is against the page's policy."),
  not(
    "Literal[value=/^(https?:)?\\u002f\\u002f\\w/]:not([value='http://www.w3.org/2000/svg'])",
    `It ${ELSEWHERE}.`,
  ),
  not("TemplateElement:first-child[value.raw=/^(https?:)?\\u002f\\u002f\\w/]", `It ${ELSEWHERE}.`),
];

const CLOCK = "A fold is pure: the same events give the same state, always and everywhere.";
const IMPURE = [
  "document", "window", "fetch", "localStorage", "sessionStorage", "navigator", "location", "setTimeout",
  "setInterval", "performance", "requestAnimationFrame",
];

export default [
  {
    files: ["web/**/*.js"],
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" },
    // What else there is, the type checker knows.
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: { setTimeout: false, setInterval: false } },
    rules: {
      "no-restricted-syntax": ["error", ...SYNTAX],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "max-lines": ["error", 400],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      curly: "error",
      "no-console": ["error", { allow: ["error"] }],
      "no-shadow-restricted-names": "error",
      "no-self-assign": "error",
      "no-self-compare": "error",
      "no-dupe-else-if": "error",
      "no-duplicate-imports": "error",
      "no-unreachable-loop": "error",
      "no-unsafe-finally": "error",
      "no-unused-private-class-members": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-throw-literal": "error",
      "array-callback-return": "error",
      "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_", varsIgnorePattern: "^_$" }],
    },
  },
  {
    files: ["web/fold/**/*.js", "web/games/*/fold/**/*.js"],
    rules: {
      "no-restricted-syntax": ["error", ...SYNTAX, not("NewExpression[callee.name='Date']", CLOCK)],
      "no-restricted-globals": ["error", ...IMPURE.map((name) => ({ name, message: CLOCK }))],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: CLOCK },
        { object: "Math", property: "random", message: CLOCK },
      ],
    },
  },
];
