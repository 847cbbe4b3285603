import { fileURLToPath } from 'node:url'

/** The repository's folder, without a slash behind it. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')
