import type { Banner } from '../approvalFacts.ts'

/** Drops repetitions of a warning. Many calls in one batch would hide the other warnings below. */
export function uniqueBanners(banners: readonly Banner[]): readonly Banner[] {
  const contents = banners.map((banner) => JSON.stringify(banner))
  return banners.filter((_, at) => contents.indexOf(contents[at] ?? '') === at)
}
