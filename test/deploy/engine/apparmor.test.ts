import { join } from 'node:path'
import { expect } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { BASE, docker, hasEngine, ROOT } from './containers.ts'

/** Debian 13 has the parser that knows `userns`; that of Debian 12 does not. */
const PARSE = `apt-get update -q && apt-get install -yq --no-install-recommends apparmor && apparmor_parser --skip-kernel-load --debug --base /etc/apparmor.d /profile`

unlessLacking(`a container engine, and ${BASE} or another BASE`, hasEngine).test(
  'the profile for AppArmor lets its parser give user namespaces to Chromium',
  () => {
    const profile = `${join(ROOT, 'deploy/apparmor/placefleet-chromium')}:/profile:ro`
    const run = ['run', '--rm', '--network', 'host', '-v', profile, '--entrypoint', 'sh', BASE, '-ec', PARSE]
    const { status, stdout, stderr } = docker(...run)
    expect({ status, said: stdout + stderr }).toEqual({
      status: 0,
      said: expect.stringMatching(/Name:\s+placefleet-chromium/),
    })
  },
)
