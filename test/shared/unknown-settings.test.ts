import { ConfigError, readEnv } from '@placefleet/shared/config'
import { SETTING_NAMES } from '@placefleet/shared/setting-names'
import { portSetting } from '@placefleet/shared/setting-types'
import { misspelledSetting, readSettings, type SettingsFile } from '@placefleet/shared/unknown-settings'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../harness/property-seed.ts'

/** Returns the faults of settings of which only the port is read. */
function faultsOf(env: Record<string, string>, file?: SettingsFile): readonly string[] {
  try {
    readSettings((given) => readEnv({ PORT: portSetting(8080) }, given), env, file)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test.each([
  ['AGENT_CONCURENCY', 'AGENT_CONCURRENCY'],
  ['SECRET_KEY', 'SECRETS_KEY'],
  ['SECRET_KEY_FILE', 'SECRETS_KEY_FILE'],
  ['PROT', 'PORT'],
  ['LOG_LEVL', 'LOG_LEVEL'],
  ['NATS_ULR', 'NATS_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
])('%s in the environment stops the start: did you mean %s?', (name, meant) => {
  const advice = 'If another program needs it, set it empty for this one'
  expect(faultsOf({ [name]: '1' })).toEqual([`${name}: is not a setting; did you mean ${meant}? ${advice}`])
  expect(faultsOf({ [name]: '' })).toEqual([])
})

test('a letter left out of any longer setting is noticed', () => {
  const longer = SETTING_NAMES.filter((name) => name.length >= 8)
  const missed = longer.flatMap((name) =>
    [...name].map((_, at) => name.slice(0, at) + name.slice(at + 1)).filter((slip) => !misspelledSetting(slip)),
  )
  expect(missed).toEqual(['LOGLEVEL']) // many programs read it
})

test('misspelled names and wrong values are reported together', () => {
  expect(faultsOf({ PORTT: '1', PORT: 'x' })).toEqual([
    expect.stringMatching(/^PORTT: /),
    expect.stringMatching(/^PORT: /),
  ])
})

test('every unknown name in a file of settings is a fault, with the nearest setting', () => {
  const names = ['MONGO_URL', 'LOG_LEVL', 'GREETING', 'PORT', 'COLLECT_RUNG', 'NATS_URL_FILE', 'NODE_OPTIONS', 'TZ']
  const env = Object.fromEntries(names.map((name) => [name, '1']))
  expect(faultsOf(env, { path: 'my.env', names })).toEqual([
    'MONGO_URL: is in my.env, but is not a setting; did you mean MONGODB_URL?',
    'LOG_LEVL: is in my.env, but is not a setting; did you mean LOG_LEVEL?',
    'GREETING: is in my.env, but is not a setting; coordinator/guides/settings.md lists them all',
  ])
})

/** The names that hosts set, as `env` prints them there. Their values do not matter, except those of service links. */
const HOSTS: Record<string, string> = {
  'a login shell': `BASH_ENV COLORTERM DBUS_SESSION_BUS_ADDRESS DISPLAY EDITOR HISTSIZE HOME HOSTNAME HOSTTYPE LANG LANGUAGE
    LC_ALL LC_TIME LESSOPEN LOGNAME LS_COLORS MACHTYPE MAIL MANPATH OLDPWD OSTYPE PAGER PATH PS1 PWD SHELL SHLVL SSH_AUTH_SOCK
    SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER TERM TMPDIR TZ USER VISUAL WINDOWID XAUTHORITY XDG_CACHE_HOME XDG_CONFIG_HOME
    XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_ID XDG_STATE_HOME _ http_proxy https_proxy no_proxy HTTP_PROXY`,
  'a systemd unit': `CACHE_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY EXIT_CODE EXIT_STATUS INVOCATION_ID
    JOURNAL_STREAM LISTEN_FDNAMES LISTEN_FDS LISTEN_PID LOGS_DIRECTORY MAINPID MANAGERPID MEMORY_PRESSURE_WATCH
    MEMORY_PRESSURE_WRITE MONITOR_UNIT NOTIFY_SOCKET PIDFILE REMOTE_ADDR REMOTE_PORT RUNTIME_DIRECTORY SERVICE_RESULT
    STATE_DIRECTORY SYSTEMD_EXEC_PID TRIGGER_PATH TRIGGER_UNIT WATCHDOG_PID WATCHDOG_USEC`,
  'a container': `HOME HOSTNAME NODE_VERSION NPM_CONFIG_LOGLEVEL PATH TERM YARN_VERSION container MALLOC_ARENA_MAX NODE_ENV
    SSL_CERT_FILE GPG_KEY LC_CTYPE DEBIAN_FRONTEND`,
  'an npm script': `COLOR EDITOR INIT_CWD NODE npm_command npm_config_cache npm_config_global_prefix npm_config_globalconfig
    npm_config_init_module npm_config_local_prefix npm_config_loglevel npm_config_node_gyp npm_config_noproxy
    npm_config_npm_version npm_config_prefix npm_config_user_agent npm_config_userconfig npm_execpath npm_lifecycle_event
    npm_lifecycle_script npm_node_execpath npm_package_bin_it npm_package_json npm_package_name npm_package_version NODE_PATH`,
  'Node and its tools': `NODE_DEBUG NODE_ENV NODE_EXTRA_CA_CERTS NODE_OPTIONS NODE_PATH NODE_TLS_REJECT_UNAUTHORIZED
    NODE_V8_COVERAGE NODE_COMPILE_CACHE UV_THREADPOOL_SIZE NO_COLOR FORCE_COLOR DEBUG CI NVM_BIN NVM_DIR NVM_INC VOLTA_HOME
    FNM_DIR VITEST VITEST_POOL_ID VITEST_WORKER_ID TEST PLAYWRIGHT_BROWSERS_PATH PUPPETEER_EXECUTABLE_PATH CHROME_BIN
    CHROME_PATH CHROME_DEVEL_SANDBOX GRPC_TRACE GRPC_VERBOSITY OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS
    OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_EXPORTER`,
  'GitHub Actions': `ACTIONS_CACHE_URL ACTIONS_RUNTIME_TOKEN ACTIONS_RUNTIME_URL AGENT_TOOLSDIRECTORY ANDROID_HOME CHROMEWEBDRIVER
    CI DEPLOYMENT_BASEPATH EDGEWEBDRIVER GITHUB_ACTION GITHUB_ACTOR GITHUB_API_URL GITHUB_BASE_REF GITHUB_ENV GITHUB_EVENT_NAME
    GITHUB_EVENT_PATH GITHUB_HEAD_REF GITHUB_JOB GITHUB_OUTPUT GITHUB_PATH GITHUB_REF GITHUB_REF_NAME GITHUB_REPOSITORY
    GITHUB_RUN_ID GITHUB_SERVER_URL GITHUB_SHA GITHUB_STEP_SUMMARY GITHUB_TOKEN GITHUB_WORKFLOW GITHUB_WORKSPACE GOROOT_1_22_X64
    ImageOS ImageVersion JAVA_HOME PIPX_HOME RUNNER_ARCH RUNNER_DEBUG RUNNER_ENVIRONMENT RUNNER_NAME RUNNER_OS RUNNER_TEMP
    RUNNER_TOOL_CACHE SELENIUM_JAR_PATH STATS_RDCL SWIFT_PATH`,
  'other build servers': `AGENT_BUILDDIRECTORY AGENT_ID AGENT_JOBNAME AGENT_JOBSTATUS AGENT_MACHINENAME AGENT_NAME AGENT_OS
    AGENT_TEMPDIRECTORY AGENT_VERSION AGENT_WORKFOLDER BRANCH_NAME BUILD_BUILDID BUILD_DISPLAY_NAME BUILD_ID BUILD_NUMBER BUILD_TAG
    BUILD_URL CI_COMMIT_SHA CI_ENVIRONMENT_NAME CI_JOB_TOKEN CI_PROJECT_DIR CI_REGISTRY EXECUTOR_NUMBER GIT_BRANCH GIT_COMMIT
    GIT_PREVIOUS_COMMIT GIT_URL JENKINS_URL JOB_NAME NODE_LABELS NODE_NAME WORKSPACE TF_BUILD CIRCLE_SHA1`,
  'hosting platforms': `AWS_EXECUTION_ENV AWS_REGION DYNO FLY_APP_NAME FLY_REGION GAE_SERVICE GCP_PROJECT HEROKU_APP_NAME K_REVISION
    K_SERVICE MONGODB_URI MONGO_URL NOMAD_ADDR_http NOMAD_PORT_http PORT PORT0 PORT1 PORTS RAILWAY_ENVIRONMENT RENDER
    RENDER_EXTERNAL_URL DATABASE_URL REDIS_URL LOGLEVEL WEBSITE_HOSTNAME WEBSITE_SITE_NAME WEBSITE_INSTANCE_ID`,
  'other programs of the same stack': `NATS_CA NATS_CERT NATS_CONTEXT NATS_CREDS NATS_KEY NATS_NKEY NATS_PASSWORD NATS_SERVER NATS_USER
    MONGO_INITDB_ROOT_USERNAME MONGO_INITDB_DATABASE STRIPE_API_KEY STRIPE_PUBLISHABLE_KEY STRIPE_DEVICE_NAME OIDC_ISSUER_URL
    OIDC_REDIRECT_URI POSTGRES_HOST POSTGRES_PORT SMTP_HOST SMTP_PORT DB_HOST DB_PORT POST COST GHOST HOSTS SORT SUPPORT`,
}

test.each(Object.entries(HOSTS))('the environment of %s stops nothing', (_, names) => {
  expect(faultsOf(Object.fromEntries(names.split(/\s+/).map((name) => [name, '1'])))).toEqual([])
})

/** Returns the variables by which Kubernetes, and links of Docker, describe a service to the pods of its namespace. */
function serviceLinks(service: string, port: number): Record<string, string> {
  const prefix = service.toUpperCase().replaceAll('-', '_')
  const link = `${prefix}_PORT_${port}_TCP`
  return {
    [`${prefix}_SERVICE_HOST`]: '10.0.0.1',
    [`${prefix}_SERVICE_PORT`]: String(port),
    [`${prefix}_SERVICE_PORT_GRPC`]: String(port),
    [`${prefix}_PORT`]: `tcp://10.0.0.1:${port}`,
    [link]: `tcp://10.0.0.1:${port}`,
    [`${link}_PROTO`]: 'tcp',
    [`${link}_PORT`]: String(port),
    [`${link}_ADDR`]: '10.0.0.1',
  }
}

const words = SETTING_NAMES.flatMap((name) => name.toLowerCase().split('_'))
const serviceName = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('-')),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,14}[a-z]$/),
)

test('no service of the cluster stops a pod by its name', () => {
  fc.assert(
    fc.property(serviceName, fc.integer({ min: 1, max: 65_535 }), (service, port) => {
      const { PORT: _port, ...links } = serviceLinks(service, port)
      expect(faultsOf(links)).toEqual([])
    }),
    { numRuns: 200 },
  )
  for (const service of ['mongodb', 'nats', 'coordinator', 'placefleet-coordinator', 'metric', 'grp', 'agent'])
    expect(faultsOf(serviceLinks(service, 4222))).toEqual([])
})
