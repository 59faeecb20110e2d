// Runs one operation of the node Placefleet with n8n's own engine, and prints the items that come out.
// Arguments: the folder of the packages, and the parameters of the node as JSON. PLACEFLEET_URL and PLACEFLEET_API_KEY say where.
const { createRequire } = require('node:module')
const { join } = require('node:path')

const [folder, parameters] = process.argv.slice(2)
const requireThere = createRequire(join(folder, 'index.js'))
const { Workflow, NodeHelpers } = requireThere('n8n-workflow')
const { ExecuteContext, RoutingNode } = requireThere('n8n-core')
const { Placefleet } = requireThere('n8n-nodes-placefleet/dist/nodes/Placefleet/Placefleet.node.js')
const { PlacefleetApi } = requireThere('n8n-nodes-placefleet/dist/credentials/PlacefleetApi.credentials.js')

const nodeType = new Placefleet()
const credential = new PlacefleetApi()
const secrets = { url: process.env.PLACEFLEET_URL, apiKey: process.env.PLACEFLEET_API_KEY }

const node = {
  id: 'a-node',
  name: 'Placefleet',
  type: 'n8n-nodes-placefleet.placefleet',
  typeVersion: 1,
  position: [0, 0],
  credentials: { placefleetApi: { id: '1', name: 'x' } },
}
node.parameters = NodeHelpers.getNodeParameters(
  nodeType.description.properties,
  JSON.parse(parameters),
  true,
  false,
  node,
  nodeType.description,
)

const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType }
const workflow = new Workflow({ id: 'w', nodes: [node], connections: {}, active: false, nodeTypes })

// What n8n does with its database: it decrypts the credential, and puts it into the request as the credential describes.
const credentialsHelper = {
  getDecrypted: async () => secrets,
  getParentTypes: () => [],
  getCredentialsProperties: () => credential.properties,
  isCredentialUsableByNode: async () => true,
  preAuthentication: async () => undefined,
  runPreAuthentication: async () => undefined,
  authenticate: async (_secrets, _type, request) => {
    const { Authorization } = credential.authenticate.properties.headers
    const value = Authorization.replace('=', '').replace('{{$credentials.apiKey}}', secrets.apiKey)
    return { ...request, headers: { ...request.headers, Authorization: value } }
  },
}

const additionalData = { executionId: process.env.EXECUTION ?? 'e1', credentialsHelper, restApiUrl: '', variables: {} }
const items = [{ json: {} }]
const inputData = { main: [items] }
const executeData = { node, data: inputData, source: null }
const runExecutionData = { resultData: { runData: {} } }
const context = new ExecuteContext(
  workflow,
  node,
  additionalData,
  'manual',
  runExecutionData,
  0,
  items,
  inputData,
  executeData,
  [],
)

new RoutingNode(context, nodeType)
  .runNode()
  .then(([output]) => process.stdout.write(JSON.stringify(output)))
  .catch((error) => {
    process.stderr.write(`${error.stack}\n${error.description ?? ''}\n`)
    process.exitCode = 1
  })
