/*
 * A page translator replaces every text node with its own elements. React keeps the old node: changing it changes nothing on the
 * screen, and removing it or inserting before it throws and loses the screen. React replaces text as a whole only where the text is
 * all that an element contains (https://github.com/facebook/react/issues/11538).
 */

/** The kinds of content that an expression may put into the page. `varies`: text that can change. */
const NOTHING = { absent: true }
const TEXT = { text: true }
const VARYING = { text: true, varies: true }
const ELEMENT = { element: true }
const UNKNOWN_NODE = { element: true, absent: true }
const ANY_NODE = { element: true, absent: true, text: true, varies: true }

const either = (one, other) => ({
  text: one.text || other.text,
  varies: one.varies || other.varies || (one.text && other.text),
  element: one.element || other.element,
  absent: one.absent || other.absent,
  /** True if one kind may replace the other. */
  swaps: one.swaps || other.swaps || (one.element && other.element),
})

const KINDS = {
  Literal: ({ value }) => (value === null || typeof value === 'boolean' ? NOTHING : TEXT),
  TemplateLiteral: ({ expressions }) => (expressions.length === 0 ? TEXT : VARYING),
  JSXElement: () => ELEMENT,
  JSXFragment: (node, scope) =>
    childrenOf(node)
      .map((child) => kindOf(child, scope))
      .reduce(either, {}),
  JSXText: () => TEXT,
  JSXExpressionContainer: ({ expression }, scope) => kindOf(expression, scope),
  JSXEmptyExpression: () => ({}),
  ConditionalExpression: (node, scope) => either(kindOf(node.consequent, scope), kindOf(node.alternate, scope)),
  LogicalExpression: (node, scope) =>
    node.operator === '&&'
      ? either(NOTHING, kindOf(node.right, scope))
      : either({ ...kindOf(node.left, scope), absent: false }, kindOf(node.right, scope)),
  BinaryExpression: ({ operator }) => (operator === '+' ? VARYING : NOTHING),
  UnaryExpression: () => NOTHING,
  ArrayExpression: ({ elements }, scope) =>
    elements.map((one) => kindOf(one.argument ?? one, scope)).reduce(either, NOTHING),
  ArrowFunctionExpression: (node, scope) => kindOf(returned(node.body), scope),
  CallExpression(node, scope) {
    const { callee } = node
    const method = callee.type === 'MemberExpression' ? callee.property.name : undefined
    if (method === 'map' || method === 'flatMap') return either(NOTHING, kindOf(node.arguments[0], scope))
    const called = callee.type === 'Identifier' && definitionOf(callee.name, scope)
    const made = called?.type === 'Variable' ? called.node.init : called?.node
    return made?.body ? kindOf(returned(made.body), scope) : VARYING
  },
  ChainExpression: ({ expression }, scope) => kindOf(expression, scope),
  MemberExpression({ object, property, computed }, scope) {
    if (CONSTANT.test(object.name)) return computed ? kindOfEntries(object.name, scope) : TEXT
    return kindOfProp(property.name, definitionOf(object.name, scope), scope)
  },
  Identifier({ name }, scope) {
    if (name === 'undefined') return NOTHING
    if (CONSTANT.test(name)) return TEXT
    const definition = definitionOf(name, scope)
    const made = definition?.type === 'Variable' ? definition.node : undefined
    if (made?.init && made.id.type === 'Identifier') return kindOf(made.init, scope)
    const given = made?.init?.type === 'Identifier' ? definitionOf(made.init.name, scope) : definition
    return kindOfProp(name, given, scope)
  },
}

const CONSTANT = /^[A-Z][A-Z_]+$/
const COMPONENT = /^[A-Z][a-z]/

function kindOf(node, scope) {
  if (!node) return NOTHING
  if (node.type.startsWith('TS') && node.expression) return kindOf(node.expression, scope)
  return KINDS[node.type]?.(node, scope) ?? VARYING
}

/** Returns the expression that a function returns. */
const returned = (body) =>
  body.type === 'BlockStatement' ? body.body.findLast(({ type }) => type === 'ReturnStatement')?.argument : body

function definitionOf(name, scope) {
  for (let at = scope; at; at = at.upper) {
    const found = at.set.get(name)
    if (found) return found.defs[0]
  }
  return undefined
}

/** The kind of the entries of a table in the same file. */
function kindOfEntries(name, scope) {
  const entries = definitionOf(name, scope)?.node.init?.properties
  return entries?.map(({ value }) => kindOf(value, scope)).reduce(either) ?? VARYING
}

/** The kind of a prop by its type, if the same file declares the type. */
function kindOfProp(name, definition, scope) {
  const param = definition?.type === 'Parameter' ? definition.node.params[0] : undefined
  const member = memberOf(param?.typeAnnotation?.typeAnnotation, name, scope)
  if (member) return kindOfType(member.typeAnnotation?.typeAnnotation)
  if (ELEMENTS_BY_NAME.test(name)) return UNKNOWN_NODE
  return name === 'children' ? ANY_NODE : VARYING
}

/** Names of elements that hooks return. */
const ELEMENTS_BY_NAME = /^(dialog|box|chart|search)$/

function memberOf(type, name, scope) {
  if (type?.type === 'TSTypeLiteral') return type.members.find(({ key }) => key?.name === name)
  const declared = type?.type === 'TSTypeReference' && definitionOf(type.typeName.name, scope)?.node
  if (declared?.type === 'TSTypeAliasDeclaration') return memberOf(declared.typeAnnotation, name, scope)
  return declared?.body?.body?.find(({ key }) => key?.name === name)
}

const TYPES = { ReactNode: ANY_NODE, ReactElement: ELEMENT, Elements: UNKNOWN_NODE }

function kindOfType(type) {
  switch (type?.type) {
    case 'TSUnionType':
      return type.types.map((one) => kindOfType(one)).reduce(either)
    case 'TSUndefinedKeyword':
    case 'TSNullKeyword':
    case 'TSBooleanKeyword':
      return NOTHING
    case 'TSTypeReference':
      return TYPES[type.typeName.name] ?? VARYING
    default:
      return VARYING
  }
}

/** The children as React sees them: without the line breaks of the source, and with the children of fragments. */
const childrenOf = (node) =>
  node.children.flatMap((child) => {
    if (child.type === 'JSXText') return /^\s*\n\s*$/.test(child.value) ? [] : [child]
    if (child.type === 'JSXExpressionContainer' && child.expression.type === 'JSXEmptyExpression') return []
    return child.type === 'JSXFragment' ? childrenOf(child) : [child]
  })

const isUntranslated = (node) =>
  node?.openingElement?.attributes.some(({ name, value }) => name?.name === 'translate' && value?.value === 'no')

/** Components that always render one element. Any other may render none. */
const ALWAYS_ONE = ['AsOf', 'Icon', 'Link', 'Money', 'Serial']

const mayRenderNothing = ({ openingElement }) =>
  /^[A-Z]/.test(openingElement?.name.name ?? '') && !ALWAYS_ONE.includes(openingElement.name.name)

const MESSAGES = {
  stale:
    'A translated page keeps the old text: write the whole element as one template literal, or give the varying part its own element.',
  removed: 'On a translated page React throws when it removes this text: give text that can be absent its own element.',
  before:
    'On a translated page React throws when content before this text appears or disappears: give the text its own element.',
  returned: 'A component must return an element: its caller does not know that this is bare text.',
}

const rule = {
  meta: { messages: MESSAGES },
  create(context) {
    const { sourceCode } = context

    function check(node) {
      for (let at = node; at; at = at.parent) if (isUntranslated(at)) return
      if (node.type === 'JSXFragment' && node.parent.type.startsWith('JSXFragment')) return
      const children = childrenOf(node)
      if (children.length < 2 && node.type !== 'JSXFragment') return
      const scope = sourceCode.getScope(node)
      /** True when something before this may come, go or be swapped, and nothing permanent is between them. */
      let moves = false
      for (const child of children) {
        const kind = kindOf(child, scope)
        if (kind.text) {
          const isBare = kind.absent || kind.element
          const messageId = isBare ? 'removed' : kind.varies ? 'stale' : moves ? 'before' : undefined
          if (messageId) context.report({ node: child, messageId })
        }
        moves = kind.absent || kind.swaps || (kind.element && kind.text) || mayRenderNothing(child)
      }
    }

    /** Reports text that a component returns without an element around it: it is bare in the component's parent. */
    function checkResult(result, of) {
      const name = of.id?.name ?? of.parent.id?.name
      if (!result || result.type === 'JSXFragment' || !COMPONENT.test(name)) return
      if (kindOf(result, sourceCode.getScope(result)).text) context.report({ node: result, messageId: 'returned' })
    }

    function functionAround(node) {
      let at = node.parent
      while (!at.type.includes('Function')) at = at.parent
      return at
    }

    return {
      JSXElement: check,
      JSXFragment: check,
      ReturnStatement: (node) => checkResult(node.argument, functionAround(node)),
      'ArrowFunctionExpression[expression=true]': (node) => checkResult(node.body, node),
    }
  },
}

export default { meta: { name: 'translated-text' }, rules: { 'no-bare-text': rule } }
