import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { loopback, type GrownPlace } from '@latchkey/devnet'

/** Two machines: this one, and a network namespace of Linux with its own address. */
export type NetworkSites = {
  here: GrownPlace
  there: GrownPlace
  /** Cuts the line between them: packets vanish, and no connection is closed. */
  cut(): Promise<void>
  heal(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)
/** A private network, which no packet leaves. */
const network = '10.213.77'

/**
 * Creates the second machine.
 *
 * @returns `undefined` with the reason, if the system permits no namespaces
 */
export async function openNetworkSites(): Promise<NetworkSites | { reason: string }> {
  const name = `latchkey-${process.pid}`
  const [near, far] = [`lk${process.pid}a`, `lk${process.pid}b`]
  const ip = (...args: string[]): Promise<unknown> => run('ip', args)
  const inside = (...args: string[]): Promise<unknown> => ip('netns', 'exec', name, 'ip', ...args)
  const close = async (): Promise<void> => {
    await ip('netns', 'del', name).catch(() => undefined)
    await ip('link', 'del', near).catch(() => undefined)
  }
  try {
    await ip('netns', 'add', name)
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far)
    await ip('link', 'set', far, 'netns', name)
    await ip('addr', 'add', `${network}.1/24`, 'dev', near)
    await ip('link', 'set', near, 'up')
    await inside('addr', 'add', `${network}.2/24`, 'dev', far)
    await inside('link', 'set', 'lo', 'up')
    await inside('link', 'set', far, 'up')
  } catch (error) {
    await close()
    return { reason: `no network namespaces: ${error instanceof Error ? error.message.trim() : String(error)}` }
  }
  return {
    here: { ...loopback, host: `${network}.1` },
    there: {
      host: `${network}.2`,
      wrap: (command, args) => ({ command: 'ip', args: ['netns', 'exec', name, command, ...args] }),
    },
    cut: async () => void (await inside('link', 'set', far, 'down')),
    heal: async () => void (await inside('link', 'set', far, 'up')),
    close,
  }
}
