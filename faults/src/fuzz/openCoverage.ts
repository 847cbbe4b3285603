import { Session, type Profiler } from 'node:inspector'

/** The coverage of this process, by V8. */
export type Coverage = {
  /** Lists the blocks of code that ran since the last call, each as its file and its range. */
  takeBlocks(): readonly string[]
  close(): void
}

/**
 * Starts to record which blocks of code run.
 *
 * @param isWatched chooses the files by their URL
 */
export function openCoverage(isWatched: (url: string) => boolean): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

  return {
    takeBlocks() {
      let scripts: readonly Profiler.ScriptCoverage[] = []
      // A session of this thread calls back at once.
      session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result))
      return scripts.filter(({ url }) => isWatched(url)).flatMap(listBlocks)
    },
    close() {
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

function listBlocks({ url, functions }: Profiler.ScriptCoverage): readonly string[] {
  return functions.flatMap(({ ranges }) =>
    ranges.filter(({ count }) => count > 0).map(({ startOffset, endOffset }) => `${url} ${startOffset}-${endOffset}`),
  )
}
