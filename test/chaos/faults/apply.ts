import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LinkFault } from '../../harness/network/link.ts'
import type { Child } from '../fleet/child.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { armCrash, disarmCrash, type LifeStep } from './crash-points.ts'
import type { Fault, FaultKind } from './plan.ts'

/** Which process or link a fault hit. `undefined` when it could not be had on this machine. */
type Hit = string | undefined

const DRAIN_MS = 30_000

/** A process that has just been started would die of the signal that tells it of its new clock. */
const SETTLED_MS = 3_000

const chosen = <One>(all: readonly One[], { which }: Fault): One => {
  const one = all[which % all.length]
  if (one === undefined) throw new Error('there is none to choose')
  return one
}

type Act = (fleet: Fleet, fault: Fault) => Promise<Hit> | Hit
type OnChild = (child: Child, fault: Fault) => Promise<unknown>

const on =
  (part: 'agents' | 'coordinators', act: OnChild): Act =>
  async (fleet, fault) => {
    const { child } = chosen<{ child: Child }>(fleet[part], fault)
    await act(child, fault)
    return child.name
  }

const kill: OnChild = (child, { lasts }) => child.kill(lasts)
const restart: OnChild = (child, { lasts }) => child.restart(lasts, DRAIN_MS)
const freeze: OnChild = async (child, { lasts }) => {
  child.signal('SIGSTOP')
  await sleep(lasts)
  child.signal('SIGCONT')
}

type Server = 'mongo' | 'nats'

function signalServer(fleet: Fleet, name: Server, signal: NodeJS.Signals): Hit {
  const { pid } = fleet[name]
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  return name
}

const freezeServer =
  (name: Server): Act =>
  async (fleet, { lasts }) => {
    signalServer(fleet, name, 'SIGSTOP')
    await sleep(lasts)
    return signalServer(fleet, name, 'SIGCONT')
  }

const breakLink =
  (how: (amount: number) => LinkFault): Act =>
  async ({ links }, fault) => {
    const link = chosen(links, fault)
    link.break(how(fault.amount))
    await sleep(fault.lasts)
    link.heal()
    return link.name
  }

/** Waits until a coordinator dies between two writes of such a step of any job. */
const dieIn =
  (step: LifeStep): Act =>
  async ({ coordinators }, fault) => {
    const first = chosen(coordinators, fault)
    const inTurn = [first, ...coordinators.filter((one) => one !== first)]
    const dying = inTurn.find(({ crashFile }) => armCrash(crashFile, { step, write: fault.amount }))
    if (!dying) return undefined
    await dying.child.mayDie(fault.lasts)
    const where = disarmCrash(dying.crashFile)
    return where && `${dying.child.name} ${where}`
  }

const ACTS: Record<FaultKind, Act> = {
  'kill agent': on('agents', kill),
  'freeze agent': on('agents', freeze),
  'restart agent': on('agents', restart),
  'kill coordinator': on('coordinators', kill),
  'freeze coordinator': on('coordinators', freeze),
  'restart coordinator': on('coordinators', restart),
  'die in creation': dieIn('creation'),
  'die in cancellation': dieIn('cancellation'),
  'die in deletion': dieIn('deletion'),
  'die in closing': dieIn('closing'),
  'die in purging': dieIn('purging'),
  'kill nats': (fleet) => signalServer(fleet, 'nats', 'SIGKILL'),
  'wipe nats': (fleet) => {
    fleet.wipeNats()
    return 'nats'
  },
  'freeze nats': freezeServer('nats'),
  'kill mongo': (fleet) => signalServer(fleet, 'mongo', 'SIGKILL'),
  'freeze mongo': freezeServer('mongo'),
  'cut link': breakLink(() => ({ kind: 'cut' })),
  'delay link': breakLink((ms) => ({ kind: 'delay', ms })),
  'stall link': breakLink(() => ({ kind: 'stall' })),
  'half-close link': ({ links }, fault) => {
    const link = chosen(links, fault)
    link.halfClose()
    return link.name
  },
  'throttle link': breakLink((bytesPerSecond) => ({ kind: 'throttle', bytesPerSecond })),
  'fill disk': fullDisk,
  'jump clock': jumpedClock,
}

/** Lets a fault happen and, where it has an end, waits for it and ends it. Gives whom it hit. */
export const applyFault = async (fleet: Fleet, fault: Fault): Promise<Hit> => ACTS[fault.kind](fleet, fault)

/** Ends whatever is still wrong. */
export function healAll(fleet: Fleet): void {
  for (const link of fleet.links) link.heal()
  for (const { child, clockFile } of [...fleet.agents, ...fleet.coordinators]) {
    child.signal('SIGCONT')
    setClock(clockFile, child, 0)
  }
  for (const server of ['mongo', 'nats'] as const) signalServer(fleet, server, 'SIGCONT')
  for (const { disk, child } of fleet.agents) if (disk && child.running()) disk.free(child.pid())
}

async function fullDisk(fleet: Fleet, fault: Fault): Promise<Hit> {
  const withDisk = fleet.agents.filter(({ disk, child }) => disk && child.running())
  const agent = withDisk[fault.which % Math.max(1, withDisk.length)]
  if (!agent?.disk) return undefined
  const pid = agent.child.pid()
  if (!agent.disk.isMounted(pid)) return undefined
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

function setClock(clockFile: string, child: Child, offsetMs: number): void {
  writeFileSync(clockFile, String(offsetMs))
  if (child.running() && child.uptimeMs() > SETTLED_MS) child.signal('SIGUSR2')
}
