import { ConfigurationError, Placefleet } from '@placefleet/client'
import { expect, test } from 'vitest'

const urlOf = (url: string) => new Placefleet({ url, apiKey: 'svc_x' }).url

test.each(['http://maps.example', 'http://maps.example/', 'http://maps.example/api/v1', 'http://maps.example/api/v1/'])(
  '%s is the address of the service',
  (url) => expect(urlOf(url)).toBe('http://maps.example'),
)

test.each(['', 'maps.example', '127.0.0.1:8080', 'ftp://maps.example'])(
  '"%s" is no address of the service: it lacks its scheme',
  (url) => {
    expect(() => urlOf(url)).toThrow(ConfigurationError)
    expect(() => urlOf(url)).toThrow('with http:// or https://')
  },
)
