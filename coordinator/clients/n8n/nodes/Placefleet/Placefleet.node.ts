import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow'
import { jobDescription } from './resources/job'
import { monitorDescription } from './resources/monitor'

export class Placefleet implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Placefleet',
    name: 'placefleet',
    icon: { light: 'file:../../icons/placefleet.svg', dark: 'file:../../icons/placefleet.dark.svg' },
    group: ['input'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Collect business listings with your Placefleet service',
    defaults: { name: 'Placefleet' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'placefleetApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.url }}',
      headers: { Accept: 'application/json' },
    },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Job', value: 'job' },
          { name: 'Monitor', value: 'monitor' },
        ],
        default: 'job',
      },
      ...jobDescription,
      ...monitorDescription,
    ],
  }
}
