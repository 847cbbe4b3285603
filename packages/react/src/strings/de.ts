import { en } from './en.ts'
import type { Strings } from './strings.ts'

export const strings: Strings = en
