import { type Mutation, mutationsOf } from '../mutation.ts'

/** What an agent learns of its exits and of websites, and how it gives tasks back. */
export const exits: Mutation[] = [
  ...mutationsOf(
    'agent/maps/requests/exit.ts',
    ['test/agent/maps/requests/exits.test.ts'],
    [['an aborted request teaches the exit nothing', 'signal.aborted ? undefined : judged', 'judged']],
  ),
  ...mutationsOf(
    'agent/maps/requests/turns.ts',
    ['test/agent/maps/requests/exits.test.ts'],
    [['a cancelled request leaves the queue', 'waiting.splice(waiting.indexOf(waiter), 1)', '']],
  ),
  ...mutationsOf(
    'shared/exits/turns.ts',
    ['test/shared/exits/turns.test.ts'],
    [
      ['a canary is sent alone', 'if (state.canaryDue && state.canaryUntil > now) return none', ''],
      ['no turn lies in a rest', 'stoppingRest(restAt(state, now)) || ', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/exits/store.ts',
    ['test/coordinator/exits/store.services.test.ts'],
    [['a decision holds only for the state that was read', '_id: next._id, revision: replaces', '_id: next._id']],
  ),
  ...mutationsOf(
    'agent/maps/requests/verdicts.ts',
    ['test/agent/maps/requests/verdicts.test.ts'],
    [
      [
        'an unrecognised answer earns nothing',
        "verdict === 'whole' ? 'faster'",
        "['whole', 'unknown'].includes(verdict) ? 'faster'",
      ],
    ],
  ),
  ...mutationsOf(
    'agent/maps/requests/attempt.ts',
    ['test/agent/collect/proxies.e2e.test.ts'],
    [['dead proxies do not count as exits that were tried', 'if (!isSilent(fault)) answering++', 'answering++']],
  ),
  ...mutationsOf(
    'agent/maps/requests/task-sessions.ts',
    ['test/agent/maps/requests/task-sessions.test.ts'],
    [
      ['an answer ends a row of refusals', 'refusalsInARow + 1 : 0', 'refusalsInARow + 1 : refusalsInARow'],
      ['a task stops after six refusals in a row', ' || refusalsInARow >= MOST_REFUSALS_IN_A_ROW', ''],
    ],
  ),
  ...mutationsOf(
    'agent/maps/requests/map-tab.ts',
    ['test/agent/maps/requests/browser.e2e.test.ts'],
    [['what a page requests by itself takes a turn', 'else unpaced++', '']],
  ),
  ...mutationsOf(
    'agent/maps/search/payload.ts',
    ['test/agent/maps/vintages.test.ts'],
    [['places that have moved are found', 'usual.length > 0 ? usual : movedPlaces(payload, now)', 'usual']],
  ),
  ...mutationsOf(
    'agent/website/robots.ts',
    ['test/agent/website/robots.test.ts'],
    [['an aborted robots.txt permits nothing', '{\n    signal.throwIfAborted()\n    return ALL', '{\n    return ALL']],
  ),
  ...mutationsOf(
    'agent/fleet/task-queue.ts',
    ['test/agent/fleet/task-queue.services.test.ts'],
    [['a task that comes too late is given back', 'pull.then((late) => late?.nak()).catch(() => undefined)', '']],
  ),
  ...mutationsOf(
    'coordinator/fleet/agents.ts',
    ['test/coordinator/exits/pool.services.test.ts'],
    [['only named agents get proxies', 'proxyAgents === undefined ||', 'true ||']],
  ),
  ...mutationsOf(
    'coordinator/exits/pool.ts',
    ['test/coordinator/exits/pool.services.test.ts'],
    [['the proxies of the pool are stored sealed', 'secrets.seal(url)', 'url']],
  ),
]
