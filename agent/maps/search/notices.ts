// Notices on drawn pages. No field of data says these things; so by the element that the site draws for each, and, as
// class names may change one day, by its English words. A notice that is missed costs time but claims nothing wrong.
const LIMITED_VIEW = /class="S3H0Nb[ "][\s\S]{0,800}?<button|aria-label="Learn more about limited view"/
const NOTHING_FOUND = /<div[^<>]*\sclass="(?:[^"]*\s)?Q2vNVc[ "]|Google Maps can(?:'|’|&#39;|&rsquo;)t find/

/** Whether a page says that it shows less than there is. */
export const isLimitedView = (html: string): boolean => LIMITED_VIEW.test(html)

/** Whether a search page says that nothing was found. */
export const saysNothingFound = (html: string): boolean => NOTHING_FOUND.test(html)
