// The options that pages of 2026 send in the `pb` of their own requests, in the same order, from the preload links of
// recorded pages: sizes of pictures and requested fields. A shorter list returns fewer fields. The session token of the
// browser is omitted, because the site does not check it.

const PICTURES =
  '!2m2!1i203!2i100!3m2!2i4!5b1!6m6!1m2!1i86!2i86!1m2!1i408!2i240!7m33!1m3!1e1!2b0!3e3!1m3!1e2!2b1!3e2!1m3!1e2!2b0!3e3' +
  '!1m3!1e8!2b0!3e3!1m3!1e10!2b0!3e3!1m3!1e10!2b1!3e2!1m3!1e10!2b0!3e4!1m3!1e9!2b1!3e2!2b1!9b0!15m8!1m7!1m2!1m1!1e2' +
  '!2m2!1i195!2i195!3i20'

const REVIEWS =
  '!72m22!1m8!2b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!4b1!8m10!1m6!4m1!1e1!4m1!1e3!4m1!1e4' +
  '!3sother_user_google_review_posts__and__hotel_and_vr_partner_review_posts!6m1!1e1!9b1'

const FIELDS_TAIL =
  '!10m1!8e3!11m1!3e1!14m1!3b0!17b1!20m2!1e3!1e6!24b1!25b1!26b1!27b1!29b1!30m1!2b1!36b1!37b1!39m3!2m2!2i1!3i1!43b1!52b1' +
  `!54m1!1b1!55b1!56m1!1b1!61m2!1m1!1e1!65m5!3m4!1m3!1m2!1i224!2i298${REVIEWS}!89b1!98m3!1b1!2b1!3b1!103b1!113b1` +
  '!114m3!1b1!2m1!1b1!117b1!122m1!1b1!126b1!127b1'

const FIELDS_HEAD = '!13m9!2b1!3b1!4b1!6i1!8b1!9b1!14b1!20b1!25b1'

/** The `pb` of a search after the number of the first result. Without `!10b1` the site returns no places. */
export const SEARCH_OPTIONS =
  '!10b1!12m50!1m5!18b1!30b1!31m1!1b1!34e1!2m4!5m1!6e2!20e3!39b1!6m23!49b1!63m0!66b1!74i150000!85b1!91b1!114b1!149b1' +
  '!178b1!206b1!209b1!212b1!223b1!232b1!234b1!239b1!244b1!246b1!250b1!253b1!258b1!260b1!266b1!10b1!12b1!13b1!14b1!16b1' +
  `!17m1!3e1!20m3!5e2!6b1!14b1!46m1!1b0!96b1!99b1!19m4!2m3!1i360!2i120!4i8!20m57${PICTURES}` +
  `!24m107!1m28${FIELDS_HEAD}!18m17!3b1!4b1!5b1!6b1!13b1!14b1!17b1!21b1!22b1!27m1!1b0!28b0!32b1!33m1!1b1!34b1!36e2` +
  `${FIELDS_TAIL}!26m4!2m3!1i80!2i92!4i8!30m28!1m6!1m2!1i0!2i0!2m2!1i530!2i768!1m6!1m2!1i974!2i0!2m2!1i1024!2i768` +
  '!1m6!1m2!1i0!2i0!2m2!1i1024!2i20!1m6!1m2!1i0!2i748!2m2!1i1024!2i768!34m19!2b1!3b1!4b1!6b1!8m6!1b1!3b1!4b1!5b1!6b1' +
  '!7b1!9b1!12b1!14b1!20b1!23b1!25b1!26b1!31b1!37m1!1e81!42b1!49m10!3b1!6m2!1b1!2b1!7m2!1e3!2b1!8b1!9b1!10e2' +
  '!50m3!2e2!3m1!3b1!61b1!67m5!7b1!10b1!14b1!15m1!1b0!69i768!77b1'

/** The `pb` of a place after the part that names the place. */
export const PLACE_OPTIONS =
  `!12m4!2m3!1i360!2i120!4i8!13m57${PICTURES}` +
  `!15m108!1m29${FIELDS_HEAD}!18m18!3b1!4b1!5b1!6b1!13b1!14b1!17b1!21b1!22b1!27m1!1b0!28b0!30b1!32b1!33m1!1b1!34b1!36e2` +
  `${FIELDS_TAIL}!21m0!22m1!1e81!30m8!3b1!6m2!1b1!2b1!7m2!1e3!2b1!9b1!34m5!7b1!10b1!14b1!15m1!1b0!37i768`
