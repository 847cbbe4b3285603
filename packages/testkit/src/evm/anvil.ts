import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'

/** A local Ethereum chain. */
export type Anvil = {
  url: string
  chainId: number
  /** Stops the process. */
  stop(): Promise<void>
}

/**
 * Starts an anvil chain on a free port, with instant mining and the well-known funded accounts. Uses the binary of the
 * npm package, then `ANVIL_PATH`, then `anvil` on the `PATH`.
 *
 * @param options.chainId default 31337
 * @throws Error if anvil exits or does not listen within a minute
 * @example
 * const chain = await startAnvil()
 * afterAll(() => chain.stop())
 */
export async function startAnvil({ chainId = 31_337 }: { chainId?: number } = {}): Promise<Anvil> {
  const anvil = spawn(findBinary(), ['--port', '0', '--chain-id', String(chainId)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // Stop the chain if the test process exits.
  const kill = (): void => void anvil.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => anvil.once('exit', () => resolve()))
  try {
    return {
      url: await waitUntilListening(anvil),
      chainId,
      stop() {
        process.removeListener('exit', kill)
        anvil.kill()
        return ended
      },
    }
  } catch (error) {
    kill()
    throw error
  }
}

function waitUntilListening(anvil: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error('anvil did not start within a minute.')), 60_000)
    anvil.once('error', reject)
    anvil.once('exit', (code) => reject(new Error(`anvil ended with code ${code} before it listened.`)))
    anvil.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-1_000)
      const address = /Listening on (\S+:\d+)/.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(`http://${address}`)
    })
  })
}

function findBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`)
  } catch {
    return process.env['ANVIL_PATH'] ?? 'anvil'
  }
}
