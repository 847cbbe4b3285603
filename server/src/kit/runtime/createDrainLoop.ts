/** A loop that works until nothing is due. */
export type DrainLoop = {
  /** Starts the loop, unless it runs. */
  start(): void
  /** Ends it after the step that runs. */
  stop(): void
  /** Resolves when it does not run. */
  finished(): Promise<void>
}

/**
 * Creates a loop that runs a step until no work is due.
 *
 * @param step returns how much was due
 */
export function createDrainLoop(step: () => Promise<number>, onFault: (error: unknown) => void): DrainLoop {
  let running: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    while (!isStopped && (await step()) > 0);
  }

  return {
    start() {
      running ??= run()
        .catch(onFault)
        .finally(() => (running = undefined))
    },
    stop() {
      isStopped = true
    },
    finished: async () => running,
  }
}
