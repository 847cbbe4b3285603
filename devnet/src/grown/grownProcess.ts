import { startChild, type Child, type ChildEvents, type ChildOptions } from '../processes/startChild.ts'

/** A process of the scaled-out layout, which a test kills, freezes and restarts. */
export type GrownProcess = {
  readonly name: string
  /** The address of its machine. */
  readonly host: string
  readonly port: number
  /** Its current process id. */
  readonly pid: number
  /** Ends the process, and resolves with its exit code or with the signal that ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
  /**
   * Starts it again on the same port, once it has ended.
   *
   * @param changes variables of its environment that differ until it ends
   */
  restart(changes?: Readonly<Record<string, string>>): Promise<void>
  /** Freezes it: connections stay open without responses. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** The machine of a process: its address, and the command that runs a program there. */
export type GrownPlace = {
  host: string
  wrap(command: string, args: readonly string[]): { command: string; args: readonly string[] }
}

/** This machine's loopback. */
export const loopback: GrownPlace = { host: '127.0.0.1', wrap: (command, args) => ({ command, args }) }

export type GrownProcessOptions = ChildEvents &
  Pick<ChildOptions<true>, 'command' | 'args' | 'env' | 'isReady'> & {
    name: string
    place: GrownPlace
    port: number
  }

/** The machine may be busy with the other processes of the layout. */
const readySeconds = 180
const closeSeconds = 20

/**
 * Starts a process and waits until it is ready.
 *
 * @throws Error with its last lines if it exits or is not ready within three minutes
 */
export async function startGrownProcess(options: GrownProcessOptions): Promise<GrownProcess> {
  const { name, place, port, command, args } = options
  const start = (changes: Readonly<Record<string, string>> = {}): Promise<Child<true>> =>
    startChild({
      ...options,
      ...place.wrap(command, args),
      env: { ...options.env, ...changes },
      readySeconds,
      closeSeconds,
    })
  let child = await start()
  return {
    name,
    host: place.host,
    port,
    get pid() {
      return child.pid
    },
    end: (signal) => child.end(signal),
    async restart(changes) {
      child = await start(changes)
    },
    freeze: () => child.signal('SIGSTOP'),
    thaw: () => child.signal('SIGCONT'),
    close: () => child.close(),
  }
}

/** Detects a program that prints a text when it is ready. */
export function readyText(text: string): { inLine(line: string): true | undefined } {
  return { inLine: (line) => (line.includes(text) ? true : undefined) }
}
