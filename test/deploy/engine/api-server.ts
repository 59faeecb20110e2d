import { spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../harness/network/free-port.ts'
import { until } from '../../harness/until.ts'

/** Whether an API server of Kubernetes can be started here; build-kubernetes.sh builds one. */
export const hasApiServer = ['etcd', 'kube-apiserver', 'kubectl'].every(
  (program) => spawnSync(program, [program === 'kubectl' ? '--help' : '--version']).status === 0,
)

/** An API server with its database, and no nodes. `kubeconfig` names the file by which programs reach it. */
export type ApiServer = { kubeconfig: string; stop(): Promise<void> }

/** Starts an API server as its administrator uses it. The caller stops it. */
export async function startApiServer(dir: string): Promise<ApiServer> {
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()]
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const token = randomUUID()
  const inDir = (name: string, text: string | Buffer) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = inDir('accounts.pem', privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const start = (program: string, flags: Record<string, string>) => {
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    const child = spawn(program, args, { stdio: 'ignore' })
    return async () => {
      const gone = once(child, 'exit')
      if (child.kill('SIGTERM')) await gone
    }
  }
  const stopEtcd = start('etcd', {
    'data-dir': join(dir, 'etcd'),
    'listen-client-urls': etcdUrl,
    'advertise-client-urls': etcdUrl,
    'listen-peer-urls': `http://127.0.0.1:${peerPort}`,
    'unsafe-no-fsync': 'true',
    'log-level': 'error',
  })
  const stopServer = start('kube-apiserver', {
    'etcd-servers': etcdUrl,
    'secure-port': `${port}`,
    'bind-address': '127.0.0.1',
    'cert-dir': dir,
    'token-auth-file': inDir('tokens.csv', `${token},admin,admin,system:masters\n`),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.0.0.0/24',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
    'disable-admission-plugins': 'ServiceAccount',
  })
  const user = { user: { token }, name: 'admin' }
  const cluster = { cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true }, name: 'test' }
  const context = { context: { cluster: 'test', user: 'admin' }, name: 'test' }
  const config = { clusters: [cluster], users: [user], contexts: [context], 'current-context': 'test' }
  const kubeconfig = inDir('kubeconfig', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }))
  const stop = async () => {
    await stopServer()
    await stopEtcd()
  }
  const isReady = async () => kubectl(kubeconfig, 'get', '--raw', '/readyz').status === 0
  await until('the API server is ready', isReady, 300_000).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { kubeconfig, stop }
}

/** Runs kubectl against a server. */
export const kubectl = (kubeconfig: string, ...args: string[]) =>
  spawnSync('kubectl', ['--kubeconfig', kubeconfig, '--cache-dir', join(kubeconfig, '..', 'cache'), ...args], {
    encoding: 'utf8',
  })
