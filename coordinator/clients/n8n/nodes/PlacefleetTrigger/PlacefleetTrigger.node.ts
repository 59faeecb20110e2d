import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { isGenuine } from './verify'

type Webhook = { id: string; url: string; health_state: string; revoked_at?: string }

export class PlacefleetTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Placefleet Trigger',
    name: 'placefleetTrigger',
    icon: { light: 'file:../../icons/placefleet.svg', dark: 'file:../../icons/placefleet.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Start a workflow when a Placefleet job ends or a monitor is paused',
    defaults: { name: 'Placefleet Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'placefleetApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        options: [
          { name: 'Job Cancelled', value: 'job.cancelled' },
          { name: 'Job Completed', value: 'job.completed' },
          { name: 'Job Failed', value: 'job.failed' },
          { name: 'Monitor Paused', value: 'monitor.paused' },
        ],
        default: ['job.completed'],
        description: 'The service must reach the address of this webhook over HTTPS',
      },
    ],
  }

  webhookMethods = {
    default: {
      /** Returns whether the webhook of this node is still registered and listens. */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id } = this.getWorkflowStaticData('node')
        if (id === undefined) return false
        const webhooks = (await call(this, 'GET', '')) as Webhook[]
        const url = this.getNodeWebhookUrl('default')
        const listens = ({ health_state, revoked_at }: Webhook) =>
          health_state !== 'disabled' && revoked_at === undefined
        return webhooks.some((webhook) => webhook.id === id && webhook.url === url && listens(webhook))
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const { id, secret } = await call(this, 'POST', '', {
          name: `n8n: ${this.getWorkflow().name ?? this.getNode().name}`.slice(0, 100),
          url: this.getNodeWebhookUrl('default'),
          event_types: this.getNodeParameter('events'),
        })
        Object.assign(this.getWorkflowStaticData('node'), { id, secret })
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const registered = this.getWorkflowStaticData('node')
        if (registered.id !== undefined) await call(this, 'DELETE', `/${String(registered.id)}`)
        delete registered.id
        delete registered.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject()
    const { secret } = this.getWorkflowStaticData('node')
    const header = (name: string) => String(request.headers[name] ?? '')
    const body = request.rawBody
    if (!isGenuine({ body, header, secret: String(secret ?? ''), now: new Date() })) {
      this.getResponseObject().status(401).end()
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(JSON.parse(body.toString()) as IDataObject)] }
  }
}

/** Calls the service about its webhooks. What is gone need not be deleted. */
async function call(node: IHookFunctions, method: IHttpRequestMethods, path: string, body?: IDataObject) {
  const { url } = await node.getCredentials('placefleetApi')
  const request = { method, url: `${String(url)}/api/v1/webhooks${path}`, json: true, ...(body && { body }) }
  try {
    return await node.helpers.httpRequestWithAuthentication.call(node, 'placefleetApi', request)
  } catch (error) {
    const failure = new NodeApiError(node.getNode(), error as JsonObject)
    if (method === 'DELETE' && failure.httpCode === '404') return undefined
    throw failure
  }
}
