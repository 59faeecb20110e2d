/** An enrolled agent, and the address of the coordinators as agents see it: `host:port`. */
export type AgentStart = { name: string; token: string; coordinator: string }

/**
 * Returns the settings of an agent, a line each, for `--env-file`, systemd or Docker. The operator adds the address of
 * NATS: a coordinator knows only the password of its own user there.
 */
export const agentEnvironment = ({ name, token, coordinator }: AgentStart): string =>
  [
    `AGENT_NAME=${name}`,
    `AGENT_TOKEN=${token}`,
    `COORDINATOR_GRPC=${coordinator}`,
    '# The address of NATS, with its user for agents:',
    '# NATS_URL=nats://agents:password@host:4222',
    '',
  ].join('\n')

/**
 * Returns the command that starts an agent in Docker. It reads the settings from the file `NAME.env`, because other users
 * of a machine see the arguments of its commands. Run it in the root of the checkout, because of the profile.
 */
export const agentCommand = ({ name }: Pick<AgentStart, 'name'>): string =>
  [
    `docker run -d --name placefleet-${name} --restart unless-stopped --env-file ${name}.env`,
    '--read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp --shm-size 512m',
    '--security-opt seccomp=deploy/images/seccomp-chromium.json placefleet/agent',
  ].join(' ')
