import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../fleet/fleet.ts'
import type { LinkFault } from '../fleet/link.ts'
import { armCrash, disarmCrash, type LifeStep } from './crash-points.ts'
import type { Fault, FaultKind } from './plan.ts'

/** What became of a fault: which process or link it hit. `undefined` when it could not be had on this machine. */
export type Hit = string | undefined

type Act = (fleet: Fleet, fault: Fault) => Promise<Hit>

const DRAIN_MS = 30_000

/** A process that has just been started would die of the signal that tells it of its new clock. */
const SETTLED_MS = 3_000

const ACTS: Record<FaultKind, Act> = {
  'kill agent': (fleet, fault) => killed(agentOf(fleet, fault).child, fault),
  'freeze agent': (fleet, fault) => frozen(agentOf(fleet, fault).child, fault),
  'restart agent': (fleet, fault) => restarted(agentOf(fleet, fault).child, fault),
  'kill coordinator': (fleet, fault) => killed(coordinatorOf(fleet, fault).child, fault),
  'freeze coordinator': (fleet, fault) => frozen(coordinatorOf(fleet, fault).child, fault),
  'restart coordinator': (fleet, fault) => restarted(coordinatorOf(fleet, fault).child, fault),
  'die in creation': (fleet, fault) => diedIn('creation', fleet, fault),
  'die in cancellation': (fleet, fault) => diedIn('cancellation', fleet, fault),
  'die in deletion': (fleet, fault) => diedIn('deletion', fleet, fault),
  'die in closing': (fleet, fault) => diedIn('closing', fleet, fault),
  'die in purging': (fleet, fault) => diedIn('purging', fleet, fault),
  'kill nats': async ({ nats }) => signalled(nats, 'SIGKILL'),
  'wipe nats': async ({ nats }) => {
    nats.wipe()
    return nats.name
  },
  'freeze nats': ({ nats }, fault) => frozenServer(nats, fault),
  'kill mongo': async ({ mongo }) => signalled(mongo, 'SIGKILL'),
  'freeze mongo': ({ mongo }, fault) => frozenServer(mongo, fault),
  'cut link': (fleet, fault) => brokenLink(fleet, fault, { kind: 'cut' }),
  'delay link': (fleet, fault) => brokenLink(fleet, fault, { kind: 'delay', ms: fault.amount }),
  'stall link': (fleet, fault) => brokenLink(fleet, fault, { kind: 'stall' }),
  'half-close link': async (fleet, fault) => {
    const link = linkOf(fleet, fault)
    link.halfClose()
    return link.name
  },
  'throttle link': (fleet, fault) => brokenLink(fleet, fault, { kind: 'throttle', bytesPerSecond: fault.amount }),
  'fill disk': fullDisk,
  'jump clock': jumpedClock,
}

/** Lets a fault happen and, where it has an end, waits for it and ends it. Gives whom it hit. */
export const applyFault = (fleet: Fleet, fault: Fault): Promise<Hit> => ACTS[fault.kind](fleet, fault)

/** Ends whatever is still wrong. */
export function healAll(fleet: Fleet): void {
  for (const link of fleet.links) link.heal()
  for (const { child } of [...fleet.agents, ...fleet.coordinators]) child.thaw()
  for (const server of [fleet.mongo, fleet.nats]) signalled(server, 'SIGCONT')
  for (const { clockFile, child } of [...fleet.agents, ...fleet.coordinators]) setClock(clockFile, child, 0)
  for (const { disk, child } of fleet.agents) if (disk && child.running()) disk.free(child.pid())
}

const chosen = <One>(all: readonly One[], { which }: Fault): One => {
  const one = all[which % all.length]
  if (one === undefined) throw new Error('there is none to choose')
  return one
}

const agentOf = (fleet: Fleet, fault: Fault) => chosen(fleet.agents, fault)
const coordinatorOf = (fleet: Fleet, fault: Fault) => chosen(fleet.coordinators, fault)
const linkOf = (fleet: Fleet, fault: Fault) => chosen(fleet.links, fault)

type Process = Fleet['agents'][number]['child']
type Server = Fleet['mongo']

async function killed(child: Process, { lasts }: Fault): Promise<Hit> {
  await child.kill(lasts)
  return child.name
}

/** Waits until a coordinator dies between two writes of such a step of any job. */
async function diedIn(step: LifeStep, fleet: Fleet, fault: Fault): Promise<Hit> {
  const first = coordinatorOf(fleet, fault)
  const inTurn = [first, ...fleet.coordinators.filter((one) => one !== first)]
  const dying = inTurn.find(({ crashFile }) => armCrash(crashFile, { step, write: fault.amount }))
  if (!dying) return undefined
  const { child, crashFile } = dying
  await child.mayDie(fault.lasts)
  const where = disarmCrash(crashFile)
  return where && `${child.name} ${where}`
}

async function restarted(child: Process, { lasts }: Fault): Promise<Hit> {
  await child.restart(lasts, DRAIN_MS)
  return child.name
}

async function frozen(child: Process, { lasts }: Fault): Promise<Hit> {
  child.freeze()
  await sleep(lasts)
  child.thaw()
  return child.name
}

async function frozenServer(server: Server, { lasts }: Fault): Promise<Hit> {
  const hit = signalled(server, 'SIGSTOP')
  await sleep(lasts)
  signalled(server, 'SIGCONT')
  return hit
}

function signalled(server: Server, signal: NodeJS.Signals): Hit {
  const pid = server.pid()
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  return server.name
}

async function brokenLink(fleet: Fleet, fault: Fault, how: LinkFault): Promise<Hit> {
  const link = linkOf(fleet, fault)
  link.break(how)
  await sleep(fault.lasts)
  link.heal()
  return link.name
}

async function fullDisk(fleet: Fleet, fault: Fault): Promise<Hit> {
  const withDisk = fleet.agents.filter(({ disk, child }) => disk && child.running())
  const agent = withDisk[fault.which % Math.max(1, withDisk.length)]
  if (!agent?.disk) return undefined
  const pid = agent.child.pid()
  if (agent.disk.logPath(pid) === '') return undefined // it has not mounted it yet
  agent.disk.fill(pid)
  await sleep(fault.lasts)
  if (agent.child.pid() === pid && agent.child.running()) agent.disk.free(pid)
  return agent.child.name
}

async function jumpedClock(fleet: Fleet, fault: Fault): Promise<Hit> {
  const { child, clockFile } = chosen([...fleet.coordinators, ...fleet.coordinators, ...fleet.agents], fault)
  setClock(clockFile, child, fault.amount)
  await sleep(fault.lasts)
  setClock(clockFile, child, 0)
  return child.name
}

function setClock(clockFile: string, child: Process, offsetMs: number): void {
  writeFileSync(clockFile, String(offsetMs))
  if (child.running() && child.uptimeMs() > SETTLED_MS) child.signal('SIGUSR2')
}
