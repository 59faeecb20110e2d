import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'
import { sourceFiles } from '../../harness/source-files.ts'
import { WRITES } from '../billing/crashing-db.ts'

const COORDINATOR = join(import.meta.dirname, '..', '..', '..', 'coordinator')

/** Programs that call the API. They have no database. */
const CLIENTS = /^(console\/(src|generated)|clients)\//

/** The body of a function: what it calls, how often, and whether others may call it. */
type Unit = { file: string; name: string; isOffered: boolean; isMethod: boolean; calls: Call[] }
type Call = { name: string; receiver?: string | undefined; times: number }
type Source = {
  file: string
  units: Map<string, Unit>
  imports: Map<string, string>
  /** What is made of which factory. */
  made: [string, string][]
  /** Functions in an object that is passed to a call. */
  callbacks: Set<Node>
}
type Node = { type: string; [member: string]: unknown }

/**
 * Returns the operations of the coordinator that write more than once, as `file name`: exported functions, methods that
 * a factory returns, handlers of routes (`DELETE /monitors/:id`) and commands (`ops erase`).
 *
 * The rule reads the sources, not types. A body counts the calls of the driver that write, and the calls of our functions
 * that write; a loop counts twice. A function of another capability counts once, so who only passes a call on is no
 * operation. A method is found by the names of its receiver and itself (`jobs.hide`: whatever `jobs` was made of), else by
 * its own name within the capability, else among all exported functions. So it misses a function that is called under
 * another name, and writes that a branch makes alternatively count together: the list errs on the side of too many.
 */
export function operationsThatWrite(): string[] {
  const sources = files().map(readSource)
  const weightOf = createWeights(sources)
  return sources.flatMap(({ file, units }) =>
    [...units.values()].flatMap((unit) => (unit.isOffered && weightOf(unit) > 1 ? [`${file} ${unit.name}`] : [])),
  )
}

const files = (): string[] =>
  sourceFiles(COORDINATOR, ['**/*.ts']).filter((file) => !file.endsWith('.d.ts') && !CLIENTS.test(file))

const capabilityOf = (file: string): string => (file.includes('/') ? dirname(file).split('/', 1)[0] : undefined) ?? file

/** Returns the function that counts the writes of a body, up to 2. */
function createWeights(sources: readonly Source[]): (unit: Unit) => number {
  const units = sources.flatMap((source) => [...source.units.values()])
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const methods = Map.groupBy(
    units.filter(({ isMethod }) => isMethod),
    ({ name }) => name,
  )
  const exported = Map.groupBy(
    units.filter(({ isOffered, isMethod }) => isOffered && !isMethod),
    ({ name }) => name,
  )
  const factories = Map.groupBy(
    sources.flatMap(({ made }) => made),
    ([receiver]) => receiver,
  )

  const targetsOf = ({ file }: Unit, { name, receiver }: Call): Unit[] => {
    const source = byFile.get(file)
    const imported = source?.imports.get(name)
    const near = receiver === undefined ? source?.units.get(name) : undefined
    if (near) return [near]
    if (receiver === undefined && imported !== undefined) return [byFile.get(imported)?.units.get(name) ?? []].flat()
    const makers = new Set((factories.get(receiver ?? '') ?? []).map(([, factory]) => factory))
    const homes = new Set([...makers].flatMap((maker) => (exported.get(maker) ?? []).map((unit) => dirname(unit.file))))
    const all = methods.get(name) ?? []
    const ofReceiver = all.filter((unit) => homes.has(dirname(unit.file)))
    if (ofReceiver.length > 0) return ofReceiver
    const ofCapability = all.filter((unit) => capabilityOf(unit.file) === capabilityOf(file))
    if (ofCapability.length > 0) return ofCapability
    return receiver === undefined || receiver === 'deps' ? (exported.get(name) ?? []) : []
  }

  const known = new Map<Unit, number>()
  const weightOf = (unit: Unit): number => {
    const before = known.get(unit)
    if (before !== undefined) return before
    known.set(unit, 0) // a recursion adds nothing
    const sum = unit.calls.reduce((total, call) => total + call.times * callWeight(unit, call), 0)
    known.set(unit, Math.min(2, sum))
    return Math.min(2, sum)
  }
  const callWeight = (unit: Unit, call: Call): number => {
    if (call.receiver !== undefined && WRITES.includes(call.name)) return 1
    const targets = targetsOf(unit, call).filter((target) => target !== unit)
    const weights = targets.map((target) => Math.min(weightOf(target), target.isOffered ? 1 : 2))
    return Math.max(0, ...weights)
  }
  return weightOf
}

function readSource(file: string): Source {
  const { program } = parseSync(file, readFileSync(join(COORDINATOR, file), 'utf8'))
  const source: Source = { file, units: new Map(), imports: new Map(), made: [], callbacks: new Set() }
  visit(source, asNode(program), { unit: undefined, times: 1, isExported: false })
  return source
}

type Place = { unit: Unit | undefined; times: number; isExported: boolean }

/** Walks through a file and notes its functions, what they call, its imports and what is made of factories. */
function visit(source: Source, node: Node, place: Place): void {
  if (node.type === 'ImportDeclaration') noteImports(source, node)
  else if (node.type === 'ExportNamedDeclaration') visitAll(source, node, { ...place, isExported: true })
  else if (!enterFunction(source, node, place)) visitOther(source, node, place)
}

/** Visits the body of a function that has a name. Returns false when the node is none. */
function enterFunction(source: Source, node: Node, place: Place): boolean {
  const named = nameOfFunction(node)
  if (!named || source.callbacks.has(named.value)) return false
  noteMade(source, named.name, named.value)
  if (!isFunction(named.value)) return false
  const isReached = named.isMethod && (place.unit !== undefined || named.isHandler)
  const unit = unitOf(source, named.name, isReached || place.isExported, named.isMethod)
  visitAll(source, named.value, { unit, times: 1, isExported: false })
  return true
}

function visitOther(source: Source, node: Node, place: Place): void {
  if (node.type === 'Property') noteShorthand(source, node)
  if (node.type === 'CallExpression') {
    noteCall(source, node, place)
    for (const callback of callbacksOf(node)) source.callbacks.add(callback)
  }
  const isLoop = /^For(Of|In)Statement$/.test(node.type) || isMapping(node)
  visitAll(source, node, isLoop ? { ...place, times: 2 } : place)
}

/** Returns the functions in an object that is passed to a call. They belong to the body of the call. */
const callbacksOf = (call: Node): Node[] =>
  [call.arguments]
    .flat()
    .filter(isNode)
    .flatMap(({ type, properties }) => (type === 'ObjectExpression' ? [properties].flat().filter(isNode) : []))
    .flatMap(({ value }) => (isNode(value) && isFunction(value) ? [value] : []))

function visitAll(source: Source, node: Node, place: Place): void {
  for (const member of Object.values(node)) {
    for (const child of [member].flat()) if (isNode(child)) visit(source, child, place)
  }
}

type Named = { name: string; value: Node; isMethod: boolean; isHandler: boolean }

/** Returns the function that a node names: a declaration, a variable, a method, the handler of a route, a command. */
function nameOfFunction(node: Node): Named | undefined {
  const method = { isMethod: true, isHandler: false }
  if (node.type === 'FunctionDeclaration')
    return { name: textOf(node.id), value: node, isMethod: false, isHandler: false }
  if (node.type === 'VariableDeclarator' && isNode(node.init) && isNode(node.id) && node.id.type === 'Identifier')
    return { name: textOf(node.id), value: node.init, isMethod: false, isHandler: false }
  if (node.type === 'Property' && isNode(node.value) && node.computed !== true)
    return { name: textOf(node.key), value: node.value, ...method }
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined
  const [first, ...rest] = [node.arguments].flat().filter(isNode)
  if (textOf(node.callee) === 'opsCommand' && first) return commandOf(first)
  const verb = node.callee.type === 'MemberExpression' ? textOf(node.callee.property) : ''
  const handler = rest.at(-1)
  if (first?.type === 'Literal' && /^(get|post|put|patch|delete)$/.test(verb) && handler && isFunction(handler))
    return { name: `${verb.toUpperCase()} ${String(first.value)}`, value: handler, isMethod: true, isHandler: true }
  return undefined
}

/** Returns the function of a command: `opsCommand({ words: 'erase', run })`. */
function commandOf({ properties }: Node): Named | undefined {
  const all = [properties].flat().filter(isNode)
  const memberOf = (key: string) => all.find((property) => textOf(property.key) === key)?.value
  const run = memberOf('run')
  return isNode(run)
    ? { name: `ops ${textOf(memberOf('words'))}`, value: run, isMethod: true, isHandler: true }
    : undefined
}

const isFunction = ({ type }: Node): boolean => /Function/.test(type) && !/^TS/.test(type)

/** Whether a call runs a function for each item of a list. */
const isMapping = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  isNode(node.callee) &&
  node.callee.type === 'MemberExpression' &&
  /^(map|flatMap|forEach)$/.test(textOf(node.callee.property))

function unitOf({ file, units }: Source, name: string, isOffered: boolean, isMethod: boolean): Unit {
  const unit = units.get(name) ?? { file, name, isOffered: false, isMethod: false, calls: [] }
  unit.isOffered ||= isOffered
  unit.isMethod ||= isMethod
  units.set(name, unit)
  return unit
}

/** `{ finish, close }`: the functions that a factory returns. */
function noteShorthand({ units }: Source, node: Node): void {
  const unit = isNode(node.value) && node.value.type === 'Identifier' ? units.get(textOf(node.value)) : undefined
  if (unit && !unit.isOffered) Object.assign(unit, { isOffered: true, isMethod: true })
}

/** Notes that `name` is made of factories: `jobs: createJobStore(…)`. */
function noteMade(source: Source, name: string, value: Node): void {
  if (isFunction(value)) return
  const calls = value.type === 'AwaitExpression' && isNode(value.argument) ? value.argument : value
  if (calls.type !== 'CallExpression' || !isNode(calls.callee)) return
  const factory = textOf(calls.callee.type === 'MemberExpression' ? calls.callee.property : calls.callee)
  source.made.push([name, factory])
  for (const given of [calls.arguments].flat()) if (isNode(given)) noteMade(source, name, given)
}

function noteCall(source: Source, { callee }: Node, { unit, times }: Place): void {
  if (!isNode(callee)) return
  const caller = unit ?? unitOf(source, '(on import)', false, false)
  if (callee.type === 'Identifier') caller.calls.push({ name: textOf(callee), times })
  if (callee.type !== 'MemberExpression' || !isNode(callee.object)) return
  const { object } = callee
  const receiver = object.type === 'MemberExpression' ? textOf(object.property) : textOf(object)
  const made = object.type === 'CallExpression' && isNode(object.callee) ? textOf(object.callee) : receiver
  caller.calls.push({ name: textOf(callee.property), receiver: made, times })
}

function noteImports({ file, imports }: Source, { source, specifiers }: Node): void {
  const from = isNode(source) ? String(source.value) : ''
  if (!from.startsWith('.')) return
  const target = relative(COORDINATOR, join(COORDINATOR, dirname(file), from))
  for (const specifier of [specifiers].flat()) if (isNode(specifier)) imports.set(textOf(specifier.local), target)
}

const textOf = (node: unknown): string =>
  isNode(node) ? (typeof node.name === 'string' ? node.name : typeof node.value === 'string' ? node.value : '') : ''

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function asNode(value: unknown): Node {
  if (!isNode(value)) throw new Error('the parser gave no program')
  return value
}
