import { type Mutation, mutationsOf } from '../mutation.ts'

const EGRESS = 'test/shared/egress'
const WEBHOOKS = 'test/coordinator/webhooks'

/** Protection against strangers: addresses, tokens, signatures, secrets, and hostile input. */
export const guards: Mutation[] = [
  ...mutationsOf(
    'coordinator/results/download-links.ts',
    ['test/coordinator/results/routes.services.test.ts'],
    [
      ['a download link ends', ' && Number(query.expires) * 1_000 > (await databaseTime(db)).getTime()', ''],
      ['a download link is for one job', '[job_id, format,', '[format,'],
    ],
  ),
  ...mutationsOf(
    'coordinator/auth/claim.ts',
    ['test/coordinator/auth/claim.services.test.ts'],
    [
      ['ADMIN_TOKEN works once', 'if (!(await useUp(db, firstOperator.token))) throw wrongToken()', ''],
      ['attempts to claim are limited', "if (!granted) throw rateLimited(reading, 'attempts from this address')", ''],
    ],
  ),
  ...mutationsOf(
    'shared/egress/forbidden-addresses.ts',
    [`${EGRESS}/forbidden-addresses.test.ts`],
    [
      ['metadata services are refused', "['169.254.169.254/32', 'metadata'],", ''],
      ['loopback is refused', "['127.0.0.0/8', 'loopback'],", ''],
      ['private networks are refused', "['10.0.0.0/8', 'private'],", ''],
      ['all of a private network is refused', "'172.16.0.0/12'", "'172.16.0.0/16'"],
      [
        'an IPv4 address inside an IPv6 one is refused',
        "['::ffff:0:0/96', 'embedded_ipv4'],",
        "['::ffff:0:0/128', 'embedded_ipv4'],",
      ],
      ['an address with a zone is none', "address.includes('%') || ", ''],
      ['what is not global is refused', "(parsed.match(GLOBAL_UNICAST) ? 'public' : 'not_global')", "'public'"],
    ],
  ),
  ...mutationsOf(
    'shared/egress/target.ts',
    [`${EGRESS}/target.test.ts`],
    [
      [
        'only http and https are allowed',
        "if (DEFAULT_PORT[url.protocol] === undefined || port === undefined) return 'scheme'",
        "if (port === undefined) return 'scheme'",
      ],
      ['a name without a dot is internal', "!host.includes('.') || ", ''],
      ['names of clouds are internal', 'internal || INTERNAL_NAMES.includes(host)', 'internal'],
      ['a trailing dot hides nothing', ".replace(/\\.$/, '')", ''],
      ['literal addresses are classified', 'literal ? classifyAddress(host) : nameReason(host)', 'nameReason(host)'],
      [
        'an exemption for one port is not one for all',
        'allow.has(host) || (port',
        'allow.has(host) || [...allow].some((entry) => entry.startsWith(`${host}:`)) || (port',
      ],
    ],
  ),
  ...mutationsOf(
    'shared/egress/resolve.ts',
    [`${EGRESS}/resolve.test.ts`],
    [
      [
        'one private address among several is refused',
        'for (const { address } of addresses) {',
        'for (const { address } of addresses.slice(0, 1)) {',
      ],
      ['what a name resolves to is checked', 'exempt ? undefined : firstForbidden(answers.addresses)', 'undefined'],
    ],
  ),
  ...mutationsOf(
    'shared/egress/pin.ts',
    [EGRESS, `${WEBHOOKS}/deliveries/deliver-forbidden.services.test.ts`, `${WEBHOOKS}/check-url.test.ts`],
    [['webhooks are https without a password', "url.protocol !== 'https:' || ", '']],
  ),
  ...mutationsOf(
    'agent/egress/guard.ts',
    ['test/agent/egress'],
    [
      [
        'a refused target is not connected to',
        'if (!checked.ok) throw new EgressRefused(checked.reason)',
        'if (!checked.ok) return target as HostAndPort',
      ],
      [
        'a name that resolves to a private address is refused',
        'if (!resolution.ok) throw new EgressRefused(resolution.reason, resolution.cause)',
        "if (!resolution.ok) return { host, port, address: '127.0.0.1', family: 4 }",
      ],
    ],
  ),
  ...mutationsOf(
    'agent/egress/egress-proxy.ts',
    ['test/agent/egress/egress-proxy.test.ts'],
    [
      ['a released grant closes its open tunnels', 'granted.sockets.add(connectionId)', ''],
      [
        "a private target is not asked for through a user's proxy",
        'await orRefuse(TARGET_REFUSED, () => vetTarget(target, guard))',
        '',
      ],
      [
        "a user's proxy is checked like any other target",
        'const addresses = await pinTarget({ host: parsed.proxy.host, port: parsed.proxy.port }, guard)',
        'const addresses = [{ address: parsed.proxy.host, family: 4 }]',
      ],
    ],
  ),
  ...mutationsOf(
    'agent/collect/website-contacts.ts',
    ['test/agent/collect/website-visits.test.ts'],
    [
      [
        'with proxies no name server learns which addresses were found',
        'sessions.proxied ? undefined : await websites',
        'await websites',
      ],
    ],
  ),
  ...mutationsOf(
    'shared/newest.ts',
    ['test/shared/newest.test.ts'],
    [['what strangers fill is bounded', 'map.size > most', 'false']],
  ),
  ...mutationsOf(
    'coordinator/http/json-body.ts',
    ['test/coordinator/http'],
    [
      ['a deeply nested body is refused', 'if (depth === MAX_DEPTH) throw', 'if (false) throw'],
      ['the depth of a body is counted exactly', 'depth === MAX_DEPTH', 'depth > MAX_DEPTH'],
      ['members of a prototype are refused', 'if (changesPrototype(parent)) throw', 'if (false) throw'],
      ['the values of a body are counted', 'if (values > MAX_VALUES) throw', 'if (false) throw'],
      ['only UTF-8 is read', 'fatal: true', 'fatal: false'],
      ['a compressed body is refused', 'if (isEncoded(request)) throw unsupported()', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/http/authentication.ts',
    ['test/coordinator/http', 'test/coordinator/accounts'],
    [
      ['two different keys in one request are none', '(apiKey !== undefined && apiKey !== secret)', 'false'],
      [
        'a credential in the header hides the cookie',
        'if (authorization === undefined && apiKey === undefined) {',
        'if (apiKey === undefined) {',
      ],
      [
        'a form of another site changes nothing',
        'publicUrl === undefined ? origin.host !== headers.host :',
        'publicUrl === undefined ? false :',
      ],
      ['reading is allowed from anywhere', 'if (SAFE_METHODS.includes(method)) return false', ''],
      ['two cookies of one name are none', 'values.length === 1 ? values[0]', 'values.length >= 1 ? values[0]'],
    ],
  ),
  ...mutationsOf(
    'coordinator/accounts/authentication.ts',
    ['test/coordinator/accounts'],
    [['a revoked key is refused', '{ hash, revoked_at: { $exists: false } }', '{ hash }']],
  ),
  ...mutationsOf(
    'coordinator/accounts/key-format.ts',
    ['test/coordinator/accounts'],
    [['a mistyped key is told by its checksum', 'checksum(random) === sum', 'true']],
  ),
  ...mutationsOf(
    'coordinator/fleet/call.ts',
    [
      'test/coordinator/fleet/enrolment.services.test.ts',
      'test/coordinator/fleet/compatibility.services.test.ts',
      'test/coordinator/fleet/contract.services.test.ts',
    ],
    [
      ['an unknown token is refused', 'if (!agent) return WRONG_TOKEN', ''],
      ['a wrong shared token is refused', 'timingSafeEqual(digest(token), shared)', 'true'],
      ['an agent of another version is refused', 'if (!isCompatible(protocol)) return otherVersion(protocol)', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/identities.ts',
    ['test/coordinator/fleet/enrolment.services.test.ts'],
    [['an enrolled name is not taken over', '{ _id: name, revoked_at: { $exists: true } }', '{ _id: name }']],
  ),
  ...mutationsOf(
    'coordinator/fleet/call.ts',
    ['test/coordinator/fleet/enrolment.services.test.ts'],
    [['a revoked token is refused', 'if (agent.revoked_at) return', 'if (agent.draining) return']],
  ),
  ...mutationsOf(
    'coordinator/secrets/secret-box.ts',
    ['test/coordinator/secrets'],
    [['secrets are sealed with a nonce of their own', 'randomBytes(', 'Buffer.alloc(']],
  ),
  ...mutationsOf(
    'coordinator/webhooks/check-url.ts',
    [`${WEBHOOKS}/check-url.test.ts`],
    [
      [
        'a private address is refused when a webhook is made',
        "target.reason === 'invalid_url' ? 'is not a valid URL' : NOT_PUBLIC",
        'undefined',
      ],
      ['a URL with a password is refused', "authority.includes('@') ?", 'false ?'],
    ],
  ),
  ...mutationsOf(
    'coordinator/webhooks/documents.ts',
    [`${WEBHOOKS}/health.test.ts`],
    [
      [
        'a disabled webhook stays disabled after a success',
        "health.health_state === 'disabled' ? health : {",
        'false ? health : {',
      ],
      ['a webhook that fails ten times is disabled', 'const DISABLED_FROM = 10', 'const DISABLED_FROM = 11'],
    ],
  ),
  ...mutationsOf(
    'coordinator/webhooks/deliveries/deliver.ts',
    [`${WEBHOOKS}/deliveries/deliver.services.test.ts`, `${WEBHOOKS}/deliveries/routes.services.test.ts`],
    [['an old secret signs no longer than promised', 'until > at', 'true']],
  ),
  ...mutationsOf(
    'shared/webhooks/signature.ts',
    ['test/shared/webhooks/signature.test.ts'],
    [['the time is part of the signature', '.update(`${unixSeconds}.`)', '']],
  ),
  ...mutationsOf(
    'coordinator/webhooks/deliveries/send.ts',
    [WEBHOOKS],
    [
      ['a delivery connects to the address that was checked', 'host: route.address', 'host: route.host'],
      ['a long answer is cut', 'if (bytes >= maxAnswerBytes) break', ''],
    ],
  ),
  ...mutationsOf(
    'agent/maps/answers/classify.ts',
    ['test/agent/maps/answers', 'test/agent/maps/reductions.test.ts'],
    [],
  ),
  ...mutationsOf(
    'coordinator/secrets/store.ts',
    ['test/coordinator/secrets'],
    [
      ['a start with another key is refused', 'if (known.key_id === keyId) return', 'return'],
      ['no start within a rotation', 'if (known.rotating_to !== undefined) {', 'if (false) {'],
      ['a rotation goes on where it stopped', 'sealed.startsWith(`${to.keyId}.`) ? sealed : ', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/http/authentication.ts',
    ['test/coordinator/http/limits.services.test.ts'],
    [
      [
        'wrong keys slow down their address',
        'if (!authenticated) takeFromAddress(request, reply, options.addressLimit)',
        'if (!authenticated) {}',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/guess-limit.ts',
    ['test/coordinator/fleet/guess-limit.test.ts'],
    [
      ['guesses of a token are limited', 'limit.isExhausted(address)', 'false'],
      ['known agents go on beside guesses', '!accepted.has(hash) && ', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/connections.ts',
    ['test/coordinator/fleet/connections.services.test.ts'],
    [
      ['a host without a token holds few connections', '>= MAX_STRANGERS', '>= Infinity'],
      [
        'a connection without a call is closed',
        'setTimeout(() => socket.destroy(), withinMs)',
        'setTimeout(() => undefined, withinMs)',
      ],
    ],
  ),
  ...mutationsOf(
    'coordinator/fleet/record-cells.ts',
    ['test/coordinator/coverage/certificate.services.test.ts'],
    [['the cells of a job are bounded', 'if (await hasMostCells(db, task.job._id, MAX_CELLS))', 'if (false)']],
  ),
  ...mutationsOf(
    'coordinator/coverage/estimate-total.ts',
    ['test/coordinator/coverage/estimate-total.test.ts'],
    [
      ['an interval holds the truth where cells differ', 'spread(cells, listed) + Z ** 2', 'Z ** 2'],
      ['an interval holds the spread of a count', ' + Z ** 2 / (missed + 0.5)', ''],
    ],
  ),
  ...mutationsOf(
    'coordinator/tasks/lease.ts',
    ['test/coordinator/fleet/contract.services.test.ts'],
    [['hand-backs are bounded', '{ $not: { $gte: FREE_HAND_BACKS } }', '{ $not: { $gte: 99 } }']],
  ),
  ...mutationsOf(
    'coordinator/mongo/expiry.ts',
    ['test/coordinator/mongo/expiry.services.test.ts'],
    [['what has no time does not expire', "[field]: { $type: 'date' },", '']],
  ),
  ...mutationsOf(
    'coordinator/tasks/notifier.ts',
    ['test/coordinator/tasks/notifier.services.test.ts'],
    [['a task has one message', 'max_msgs_per_subject: 1,', 'max_msgs_per_subject: 9,']],
  ),
]
