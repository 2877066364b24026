import java.lang.reflect.Field;
import java.util.Map;

@interface Name {
    String value();
}

class Keys {
    static final String FIRST = "first";
    static final String SECOND = "second";
}

class AnnotatedElements {
    String fieldBad(Field field) {
        return field.getAnnotation(Name.class).value();  // null.method
    }

    String fieldOk(Field field) {
        return field.isAnnotationPresent(Name.class) ? field.getAnnotation(Name.class).value() : "";
    }

    String otherAnnotationBad(Class<?> of) {
        if (of.isAnnotationPresent(Deprecated.class)) {
            return of.getAnnotation(Name.class).value();  // null.method
        }
        return "";
    }

    String testedOk(Class<?> of) {
        if (of.getAnnotation(Name.class) != null) {
            return of.getAnnotation(Name.class).value();
        }
        return "";
    }

    int constantKeyOk(Map<String, String> map) {
        return map.get(Keys.FIRST) == null ? 0 : map.get(Keys.FIRST).length();
    }

    int otherConstantKeyBad(Map<String, String> map) {
        return map.get(Keys.FIRST) == null ? 0 : map.get(Keys.SECOND).length();  // null.method
    }
}
