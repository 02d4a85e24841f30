import type { Identifier } from '@mdn/browser-compat-data/types'
import { parse, type AtRule, type Declaration, type Rule } from 'postcss'
import { areNewer, browserData, membersOf } from './browserData.ts'

const { properties, selectors, types, 'at-rules': atRules } = browserData.css as Record<string, Identifier>

/** Functions and units lie at different depths, so by name alone; where two have one name, both must be newer. */
const typesByName = new Map<string, Identifier[]>()
collectTypes(types!)

function collectTypes(group: Identifier) {
  for (const [name, feature] of membersOf(group)) {
    typesByName.set(name, [...(typesByName.get(name) ?? []), feature])
    collectTypes(feature)
  }
}

/**
 * What these style sheets use that one of the oldest supported browsers lacks: `text-wrap`, `resize: both`, `:has`, `@property`. What
 * stands in `@supports` asks first, and pseudo-elements of one engine stand in rules of their own.
 */
export function newerStyleFeatures(sheets: readonly string[]): string[] {
  const newer = new Set<string>()
  for (const sheet of sheets) {
    const root = parse(sheet)
    root.walkAtRules('supports', (rule) => void rule.remove())
    root.walkAtRules((rule) => namesOfAtRule(rule).forEach((name) => newer.add(name)))
    root.walkRules((rule) => namesOfSelector(rule).forEach((name) => newer.add(name)))
    root.walkDecls((declaration) => namesOfDeclaration(declaration).forEach((name) => newer.add(name)))
  }
  return [...newer].toSorted()
}

function namesOfAtRule({ name, params }: AtRule): string[] {
  const conditions = [...params.matchAll(/[\w-]+/g)].map(([word]) => word)
  const newer = conditions.filter((word) => areNewer([atRules?.[name]?.[word]]))
  return [...(areNewer([atRules?.[name]]) ? [`@${name}`] : []), ...newer.map((word) => `@${name} ${word}`)]
}

function namesOfSelector({ selector }: Rule): string[] {
  const pseudos = [...selector.matchAll(/:([a-z][a-z-]*)/g)].map(([, name]) => name!)
  const nesting = selector.includes('&') ? ['nesting'] : []
  return [...pseudos, ...nesting].filter((name) => areNewer([selectors?.[name]])).map((name) => `:${name}`)
}

function namesOfDeclaration(declaration: Declaration): string[] {
  const { prop } = declaration
  if (/^-\w/.test(prop) || isOfOneEngine(declaration)) return []
  const value = declaration.value.replaceAll(/url\([^)]*\)|"[^"]*"/g, '')
  const property = properties?.[prop]
  if (areNewer([property], prefixesBeside(declaration))) return [prop]
  const keywords = wordsOf(value, /(?<![\w#.-])([a-z][a-z-]*)/g).filter((word) => areNewer([property?.[word]]))
  const functions = wordsOf(value, /([a-z][a-z-]*)\(/g).filter((name) => !property?.[name] && isNewerType(name))
  const units = wordsOf(value, /(?<![\w#-])[\d.]+([a-z]+)/g).filter(isNewerType)
  return [...keywords.map((word) => `${prop}: ${word}`), ...functions.map((name) => `${name}()`), ...units]
}

const isOfOneEngine = ({ parent }: Declaration) =>
  parent?.type === 'rule' && /:-(webkit|moz)-/.test((parent as Rule).selector)

const wordsOf = (value: string, pattern: RegExp) => [...value.matchAll(pattern)].map(([, word]) => word!)

const isNewerType = (name: string) => areNewer(typesByName.get(name) ?? [])

/** Of the same property in the same rule: `-webkit-` where it has `-webkit-mask` too. */
const prefixesBeside = ({ prop, parent }: Declaration) =>
  ['-webkit-', '-moz-'].filter((prefix) =>
    parent?.some((other) => other.type === 'decl' && other.prop === prefix + prop),
  )
