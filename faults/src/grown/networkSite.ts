import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
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
const namePrefix = 'latchkey-'

/** Runs `ip`, which configures the network of Linux. */
const ip = async (...args: readonly string[]): Promise<string> => (await run('ip', args)).stdout

/**
 * Creates the second machine.
 *
 * @returns `undefined` with the reason, if the system permits no namespaces
 */
export async function openNetworkSites(): Promise<NetworkSites | { reason: string }> {
  const network = findFreeNetwork()
  const name = `${namePrefix}${process.pid}-${network.replaceAll('.', '-')}`
  const [near, far] = createInterfaceNames(network)
  const inside = (...args: readonly string[]): Promise<string> => ip('netns', 'exec', name, 'ip', ...args)
  const close = async (): Promise<void> => {
    await ip('netns', 'del', name).catch(() => undefined)
    await ip('link', 'del', near).catch(() => undefined)
  }
  try {
    await removeAbandonedNamespaces()
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

/** Finds a private network that no interface has. No packet leaves it. Another run may use one at the same time. */
function findFreeNetwork(): string {
  const used = new Set(
    Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address)),
  )
  const free = Array.from({ length: 255 }, (_, index) => `10.213.${index}`).find((each) => !used.has(`${each}.1`))
  if (free === undefined) throw new Error('all networks for a second machine are in use')
  return free
}

/** The name of a network interface has at most 15 characters. */
function createInterfaceNames(network: string): readonly [near: string, far: string] {
  const number = network.slice(network.lastIndexOf('.') + 1)
  return [`latchkey-${number}a`, `latchkey-${number}b`]
}

/** Removes the namespaces of runs that were killed. Their interfaces vanish with them. */
async function removeAbandonedNamespaces(): Promise<void> {
  for (const line of (await ip('netns', 'list')).split('\n')) {
    const [name = ''] = line.split(' ')
    const pid = Number(name.slice(namePrefix.length).split('-')[0])
    if (!name.startsWith(namePrefix) || isRunning(pid)) continue
    await ip('netns', 'del', name)
  }
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}
