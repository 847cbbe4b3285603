// The processor time of the programs of a bench.
import { readFileSync } from 'node:fs'
import { cpuMs, familyOf, findPostgres } from '../relay/processes.mjs'

/** Processes that end between two samples lose the time since the last one. */
const intervalMs = 2_000

/**
 * Watches this process, PostgreSQL, and their descendants, such as the connections of PostgreSQL, which come and go.
 *
 * @param {Readonly<Record<string, RegExp>>} programs the name of a program by a part of its command line
 * @param {string} databaseUrl
 */
export function watchProcessorTime(programs, databaseUrl) {
  const postgres = findPostgres(new URL(databaseUrl).port)
  /** @type {Map<number, { program: string, begun: number, ms: number }>} */
  const processes = new Map()
  const sample = (isFirst = false) => {
    for (const pid of new Set([...familyOf(process.pid), ...familyOf(postgres)])) {
      const ms = cpuMs([pid])
      const known = processes.get(pid)
      if (known !== undefined) known.ms = Math.max(known.ms, ms)
      else processes.set(pid, { program: nameProgram(pid, programs), begun: isFirst ? ms : 0, ms })
    }
  }
  sample(true)
  const timer = setInterval(sample, intervalMs)
  return {
    /** Ends, and returns the time of each program since the begin, in milliseconds. */
    stop() {
      sample()
      clearInterval(timer)
      /** @type {Record<string, number>} */
      const spent = {}
      for (const { program, begun, ms } of processes.values()) spent[program] = (spent[program] ?? 0) + ms - begun
      return spent
    },
  }
}

/**
 * @param {number} pid
 * @param {Readonly<Record<string, RegExp>>} programs
 */
function nameProgram(pid, programs) {
  if (pid === process.pid) return 'bench'
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return Object.entries(programs).find(([, pattern]) => pattern.test(command))?.[0] ?? 'other'
  } catch {
    // The process has ended in the meantime.
    return 'other'
  }
}
