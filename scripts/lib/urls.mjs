// The addresses of a running world, for people and for programs.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Prints the table of addresses, and writes them down in one step so that nobody reads half of them.
 *
 * @param {string} file
 * @param {Readonly<Record<string, string | undefined>>} urls
 * @param {readonly string[]} [missing] what is not there, in a sentence each
 */
export function announce(file, urls, missing = []) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(urls, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  const names = Object.keys(urls).filter((name) => urls[name] !== undefined)
  const width = Math.max(...names.map((name) => name.length))
  const rows = names.map((name) => `  ${name.padEnd(width)}  ${urls[name]}`)
  const notes = missing.length === 0 ? [] : ['', ...missing]
  console.log(['', 'Latchkey is ready.', '', ...rows, ...notes, '', 'Ctrl-C stops all of it.'].join('\n'))
}

/** @param {string} file */
export function forgetUrls(file) {
  rmSync(file, { force: true })
}
