import { request } from 'node:http'

export interface Got {
  status: number
  text: string
}

/** Gets a plain-HTTP address through a forward proxy, with the proxy's login if its URL has one. */
export function getThrough(proxyUrl: string, address: string, signal?: AbortSignal): Promise<Got> {
  const proxy = new URL(proxyUrl)
  const login = proxy.username
    ? `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
    : undefined
  const headers = {
    host: new URL(address).host,
    ...(login ? { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` } : {}),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: proxy.hostname,
      port: proxy.port,
      path: address,
      headers,
      agent: false,
      ...(signal ? { signal } : {}),
    })
    outgoing.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Returns the status with which a proxy answers a CONNECT to a host and port. */
export function connectThrough(proxyUrl: string, target: string): Promise<number> {
  const proxy = new URL(proxyUrl)
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: target, agent: false })
    outgoing.on('connect', (response, socket) => {
      socket.destroy()
      resolve(response.statusCode ?? 0)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
