import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

export class PlacefleetApi implements ICredentialType {
  name = 'placefleetApi'

  displayName = 'Placefleet API'

  icon = { light: 'file:../icons/placefleet.svg', dark: 'file:../icons/placefleet.dark.svg' } as const

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-placefleet'

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      required: true,
      default: 'http://127.0.0.1:8080',
      description: 'The address of your Placefleet service, without a slash at the end',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'Create one in the console under API keys',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url}}', url: '/api/v1/credits/balance' },
  }
}
