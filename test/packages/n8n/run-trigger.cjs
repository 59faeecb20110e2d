// Runs one method of the node Placefleet Trigger, and prints what it returns with what the node keeps.
// Arguments: the folder of the packages, the method, and what the node keeps, gets and is called with, as JSON.
const { createRequire } = require('node:module')
const { join } = require('node:path')

const [folder, method, given] = process.argv.slice(2)
const requireThere = createRequire(join(folder, 'index.js'))
const { PlacefleetTrigger } = requireThere(
  'n8n-nodes-placefleet/dist/nodes/PlacefleetTrigger/PlacefleetTrigger.node.js',
)
const { kept, parameters, url, headers, body = '' } = JSON.parse(given)
let status

const context = {
  getWorkflowStaticData: () => kept,
  getNodeWebhookUrl: () => url,
  getNodeParameter: (name) => parameters[name],
  getWorkflow: () => ({ name: 'My workflow' }),
  getNode: () => ({ name: 'Placefleet Trigger', type: 'n8n-nodes-placefleet.placefleetTrigger' }),
  getCredentials: async () => ({ url: process.env.PLACEFLEET_URL }),
  getRequestObject: () => ({ headers, rawBody: Buffer.from(body) }),
  getResponseObject: () => ({
    status(code) {
      status = code
      return { end: () => undefined }
    },
  }),
  helpers: {
    returnJsonArray: (json) => [{ json }],
    // As n8n's: it adds the credential, parses the answer, and throws for a failure.
    async httpRequestWithAuthentication(_type, { method: verb, url: address, body: sent }) {
      const response = await fetch(address, {
        method: verb,
        headers: { authorization: `Bearer ${process.env.PLACEFLEET_API_KEY}`, 'content-type': 'application/json' },
        ...(sent && { body: JSON.stringify(sent) }),
        ...(!sent && { headers: { authorization: `Bearer ${process.env.PLACEFLEET_API_KEY}` } }),
      })
      const text = await response.text()
      if (response.ok) return text === '' ? undefined : JSON.parse(text)
      throw Object.assign(new Error(text), {
        response: { status: response.status, data: text },
        httpCode: String(response.status),
      })
    },
  },
}

const trigger = new PlacefleetTrigger()
const call = method === 'webhook' ? trigger.webhook : trigger.webhookMethods.default[method]
call
  .call(context)
  .then((result) => process.stdout.write(JSON.stringify({ result, kept, status })))
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exitCode = 1
  })
